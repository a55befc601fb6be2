import { describe, expect, test } from 'vitest'
import { applied, catalogRig } from './catalog-rig.ts'
import { batch, deletion, draft, published, rejection } from './records.ts'

const catalog = catalogRig()

describe('tally and counts', () => {
  const cycle = 5
  const feed = batch({
    listings: [0, 1, 4].map(sequence => published({ external_id: `P-${sequence}`, cycle, sequence })),
    rejections: [3].map(sequence => rejection({ external_id: `P-${sequence}`, cycle, sequence })),
  })
  const drafts = batch({ listings: [draft({ external_id: 'P-2', cycle, sequence: 2 })] })

  test('a redelivered batch leaves both as they are', async () => {
    for (const records of [feed, drafts, feed, drafts]) await catalog.store.apply(records)
    expect(await catalog.store.tally('acme', cycle)).toEqual({ accepted: 3, draft: 1, rejected: 1, deactivated: 0 })
    expect(await catalog.store.counts()).toEqual({ published: 3, draft: 1, inactive: 0 })
  })

  test('a batch that overlaps what was seen counts what is new', async () => {
    await catalog.store.apply(feed)
    await catalog.store.apply(batch({ listings: [1, 4, 5, 6].map(sequence => published({ cycle, sequence })) }))
    expect(await catalog.store.tally('acme', cycle)).toMatchObject({ accepted: 5 })
  })

  test('the same batch from two writers at once counts once', async () => {
    await Promise.all([catalog.store.apply(feed), catalog.store.apply(feed)])
    expect(await catalog.store.tally('acme', cycle)).toMatchObject({ accepted: 3, rejected: 1 })
  })

  test('a stale record was seen all the same', async () => {
    for (const version of [cycle + 1, cycle])
      await catalog.store.apply(batch({ listings: [published({ cycle: version })] }))
    expect(await catalog.store.tally('acme', cycle)).toMatchObject({ accepted: 1 })
  })

  test('deactivated counts rows that were up, of the cycle that took them down', async () => {
    await catalog.store.apply(feed)
    await catalog.store.apply(drafts)
    const deletions = ['P-0', 'P-2', 'unknown', 'P-0'].map((external_id, sequence) =>
      deletion({ external_id, cycle: cycle + 1, sequence }),
    )
    const taken = await catalog.store.apply(batch({ deletions }))
    expect(taken).toEqual(applied({ written: 3, stale: 1, deactivated: 2 }))
    await catalog.store.apply(batch({ deletions: [deletion({ external_id: 'P-1', cycle: cycle + 1, sequence: 4 })] }))
    expect(await catalog.store.tally('acme', cycle + 1)).toEqual({ accepted: 0, draft: 0, rejected: 0, deactivated: 3 })
  })

  test('counts of one partner leave the others out', async () => {
    await catalog.store.apply(feed)
    await catalog.store.apply(
      batch({ listings: [draft({ partner: 'beta' })], deletions: [deletion({ partner: 'beta', external_id: 'x' })] }),
    )
    expect(await catalog.store.counts('beta')).toEqual({ published: 0, draft: 1, inactive: 1 })
    expect(await catalog.store.counts()).toEqual({ published: 3, draft: 1, inactive: 1 })
  })

  test('nothing to do is nothing done', async () => {
    expect(await catalog.store.apply(batch({}))).toEqual(applied({}))
    expect(await catalog.store.tally('acme', 1)).toEqual({ accepted: 0, draft: 0, rejected: 0, deactivated: 0 })
  })
})
