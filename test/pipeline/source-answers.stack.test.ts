import { beforeAll, expect, test } from 'vitest'
import { expectSoundLives } from '../support/cycle-lives.ts'
import { listing } from '../support/listings.ts'
import type { FaultScript } from '../support/partner.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, index) => listing({ external_id: `P-${index}` }))
const DELETED = Array.from({ length: 50_000 }, (_, index) => `D-${index}`)
const deletions = (deletedIds: unknown): FaultScript => {
  const body = JSON.stringify({ deleted_ids: deletedIds, since: null, generated_at: new Date().toISOString() })
  return ({ feed }) => (feed === 'deletions' ? { kind: 'body', body } : undefined)
}

/** 101 requests, a tenth of a second apart. */
const SLOW = { listings: numbered(20_000), every: '1h', pageSize: 200, requestsPerMinute: 600 }
const SLOW_LEAST_MS = 100 * 100

/** `slow` and `steady` share a partition, and so all that comes after the source; `other` has one of its own. */
let pipeline: Pipeline
beforeAll(async () => {
  const plan = { listings: numbered(2) }
  const partners = {
    ...{ slow: SLOW, steady: plan, other: plan },
    ...{ many: { every: '1h', fault: deletions(DELETED) }, unusable: plan, shapeless: plan, refused: plan },
  }
  pipeline = await startPipeline({ partners })
  return pipeline.close
})

test('row 62: a first cycle of 20,000 at a slow rate delays nobody', async () => {
  const slow = await pipeline.cycleAfter('slow')
  expect(slow).toMatchObject({ pages: 100, properties: 20_000, tally: { accepted: 20_000 } })
  const { requests } = pipeline.partner('slow')
  expect(requests.at(-1)!.atMs - requests[0]!.atMs).toBeGreaterThan(0.95 * SLOW_LEAST_MS)

  const { log } = pipeline
  const polledAt = log.events.findIndex(({ event, partner }) => event === 'cycle_polled' && partner === 'slow')
  for (const id of ['steady', 'other']) {
    const meanwhile = log.events.slice(0, polledAt).filter(({ event, partner, cycle }) => {
      return event === 'cycle_checkpointed' && partner === id && (cycle as number) > slow.cycle
    })
    expect(meanwhile.length, `cycles of ${id} in ten seconds and more`).toBeGreaterThanOrEqual(4)
    expect(pipeline.events('cycle_failed', id)).toEqual([])
  }
})

test('row 18: 50,000 deleted ids arrive in their order', async () => {
  const { cycle, deletions: count } = await pipeline.cycleAfter('many')
  expect(count).toBe(DELETED.length)
  const records = await pipeline.view.records('deletions.raw', 'many')
  expect(records).toHaveLength(DELETED.length)
  const misplaced = records.findIndex((record, index) => {
    return record.external_id !== DELETED[index] || record.sequence !== index || record.cycle !== cycle || !record.whole
  })
  expect(misplaced).toBe(-1)
  const rows = await pipeline.catalog('many')
  expect([...rows.values()].filter(({ status }) => status === 'inactive')).toHaveLength(DELETED.length)
})

test('row 18: ids that cannot be ids go to the dead letters, and the others of the same answer are deleted', async () => {
  const unusable = [42, null, 'x'.repeat(10_240), '', { id: 'P-0' }, ['P-0'], 'P-\u0000', true]
  await pipeline.cycleAfter('unusable')
  const partner = pipeline.partner('unusable')
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  partner.fault(moment => {
    if (moment.feed === 'properties') return undefined
    partner.fault(undefined) // told once
    tell()
    return deletions(['P-0', ...unusable, 'P-1'])(moment)
  })
  await told
  await pipeline.cycle('unusable')
  const lives = await expectSoundLives(pipeline, 'unusable')
  const warned = lives.filter(({ end }) => end?.warnings.length)
  expect(warned.map(({ end }) => end)).toMatchObject([
    { outcome: 'polled', deletions: 2, warnings: ['deleted_id_unusable'] },
  ])
  expect(await pipeline.tally('unusable', warned[0]!.cycle)).toMatchObject({ deactivated: 2 })
  const rows = await pipeline.catalog('unusable')
  expect([...rows].map(([id, { status }]) => `${id} ${status}`)).toEqual(['P-0 inactive', 'P-1 inactive'])
  const buried = await pipeline.view.deadLetters()
  const words = buried.map(({ value }) => value!.toString())
  expect(words).toEqual(unusable.map(id => JSON.stringify(id).slice(0, 10_000)))
  for (const { key, headers } of buried) {
    expect(key!.toString()).toBe('unusable/')
    expect(headers!['__connect.errors.exception.class.name']!.toString()).toBe('DELETED_ID_UNUSABLE')
  }
})

test('row 18: deleted_ids that is missing or no array fails the cycle before anything else is asked for', async () => {
  await pipeline.cycleAfter('shapeless')
  const partner = pipeline.partner('shapeless')
  const shapes = [undefined, null, 'P-0', { 0: 'P-0', length: 1 }, 1]
  let asked = 0
  partner.fault(moment => deletions(shapes[asked++ % shapes.length])(moment))
  const failed = []
  for (const _ of shapes) failed.push(await pipeline.next('cycle_failed', 'shapeless'))
  expect(failed.map(({ code }) => code)).toEqual(shapes.map(() => 'PARTNER_ENVELOPE'))
  const ends = (await expectSoundLives(pipeline, 'shapeless')).map(({ end }) => end)
  const { since } = (await pipeline.view.since('shapeless')).metadata!
  for (const { cycle } of failed) {
    expect(ends.find(end => end?.cycle === cycle)).toMatchObject({ outcome: 'failed', requests: 1, since })
  }
})

test('row 8: a credential refused twice in a row is tried more seldom, until it is accepted', async () => {
  await pipeline.cycleAfter('refused')
  const starts = () => pipeline.events('cycle_started', 'refused').map(({ cycle }) => cycle as number)
  const partner = pipeline.partner('refused')
  partner.fault(() => ({ kind: 'status', status: 401 }))
  const failed: number[] = []
  for (let count = 0; count < 4; count++) {
    const { code, cycle } = await pipeline.next('cycle_failed', 'refused')
    expect(code).toBe('PARTNER_AUTH')
    failed.push(cycle as number)
  }
  // Slots lie four seconds apart instead of one, and one that comes within half of that is left out.
  expect(failed[2]! - failed[1]!).toBeGreaterThanOrEqual(2_000)
  expect(failed[3]! - failed[2]!).toBeGreaterThanOrEqual(2_000)

  partner.fault(undefined)
  const { cycle } = await pipeline.cycleAfter('refused', failed[3]!)
  await pipeline.log.eventually('two cycles in a row as usual', async () => {
    const since = starts().filter(start => start >= cycle)
    return since.some((start, index) => start - (since[index - 1] ?? 0) < 2_000) || undefined
  })
  await expectSoundLives(pipeline, 'refused')
})
