import { describe, expect, test } from 'vitest'
import { sampleListing } from '../../../schemas/records/listing.ts'
import { sampleRejection } from '../../../schemas/records/rejection.ts'
import { applied, catalogRig } from './catalog-rig.ts'
import { batch, deletion, draft, published, rejection } from './records.ts'

const catalog = catalogRig()

/** The times as text: two transactions may fall into one millisecond, which is all that a JavaScript date has. */
async function rows(): Promise<Record<string, unknown>[]> {
  const times = 'first_seen_at::text, changed_at::text'
  return (await catalog.pool.query(`SELECT *, ${times} FROM predio.listing ORDER BY partner, external_id`)).rows
}
async function row(): Promise<Record<string, unknown>> {
  const [only, ...more] = await rows()
  expect(more).toEqual([])
  return only!
}
const publish = (cycle: number, sequence = 0) =>
  catalog.store.apply(batch({ listings: [published({ cycle, sequence })] }))
const keepDraft = (cycle: number, sequence = 0) =>
  catalog.store.apply(batch({ listings: [draft({ cycle, sequence })] }))
const remove = (cycle: number, sequence = 0) =>
  catalog.store.apply(batch({ deletions: [deletion({ cycle, sequence })] }))
const refuse = (cycle: number, sequence = 0) =>
  catalog.store.apply(batch({ rejections: [rejection({ cycle, sequence })] }))

/** What a version needs in order to be looked at: its cycle is enough in most tests. */
const at = (cycle: number, phase = 1, sequence = 0) => ({
  version_cycle: String(cycle),
  version_phase: phase,
  version_seq: String(sequence),
})
const note = (cycle: number, sequence = 0) => ({
  cycle,
  sequence,
  rule_set: sampleRejection.rule_set,
  reasons: sampleRejection.reasons,
})

describe('listings', () => {
  test('every column of a first publication', async () => {
    const amenities = ['elevador "B"', 'a,b', 'C:\\', '']
    const reasons = [{ ...sampleRejection.reasons[0]!, severity: 'WARN' as const }]
    const sale_price = '12345678901234567890.01'
    const write = published({ cycle: 3, sequence: 4, amenities, reasons, sale_price })
    expect(await catalog.store.apply(batch({ listings: [write] }))).toEqual(applied({ written: 1 }))
    const { cycle, sequence, received_at, rule_set, ...columns } = write.listing
    expect(await row()).toEqual({
      ...columns,
      ...at(3, 1, 4),
      status: 'published',
      body: JSON.parse(columns.body),
      updated_at: new Date(columns.updated_at!),
      held_back: null,
      first_seen_at: expect.any(String),
      changed_at: expect.any(String),
    })
  })

  test('what may be null stays null', async () => {
    await catalog.store.apply(
      batch({ listings: [published({ rent_price: null, sale_price: null, updated_at: null })] }),
    )
    expect(await row()).toMatchObject({
      rent_price: null,
      sale_price: null,
      updated_at: null,
      photos: sampleListing.photos,
    })
  })

  test('a newer version replaces the content and keeps when the property was first seen', async () => {
    await publish(1)
    const before = await row()
    await catalog.store.apply(batch({ listings: [published({ cycle: 2, city: 'Puebla' })] }))
    const after = await row()
    expect(after).toMatchObject({ city: 'Puebla', first_seen_at: before.first_seen_at, ...at(2) })
    expect(after.changed_at).not.toEqual(before.changed_at)
  })

  test.each([
    { name: 'an older cycle', older: { cycle: 1, sequence: 9 } },
    { name: 'an earlier record of the cycle', older: { cycle: 2, sequence: 4 } },
  ])('$name changes nothing', async ({ older }) => {
    await publish(2, 5)
    const before = await row()
    expect(await catalog.store.apply(batch({ listings: [draft({ ...older, city: 'Puebla' })] }))).toEqual(
      applied({ stale: 1 }),
    )
    expect(await row()).toEqual(before)
  })

  test('a redelivery leaves the row as it is', async () => {
    await publish(1)
    const before = await row()
    expect(await publish(1)).toEqual(applied({ written: 1 }))
    expect(await row()).toEqual(before)
  })

  test('the same record under other rules changes its status, and that shows', async () => {
    await keepDraft(1)
    const before = await row()
    await publish(1)
    const after = await row()
    expect(after).toMatchObject({ status: 'published', ...at(1) })
    expect(after.changed_at).not.toEqual(before.changed_at)
  })

  test('a published property turns draft and back (assumption A4)', async () => {
    await publish(1)
    await keepDraft(2)
    expect(await row()).toMatchObject({ status: 'draft' })
    expect((await catalog.pool.query('SELECT FROM predio.published_listing')).rowCount).toBe(0)
    await publish(3)
    expect((await catalog.pool.query('SELECT external_id FROM predio.published_listing')).rows).toEqual([
      { external_id: 'CRM-1' },
    ])
  })

  test('of several versions in a batch the newest stays', async () => {
    const listings = [published({ cycle: 1, sequence: 1 }), draft({ cycle: 1, sequence: 2 }), published({ cycle: 1 })]
    expect(await catalog.store.apply(batch({ listings }))).toEqual(applied({ written: 1, stale: 2 }))
    expect(await row()).toMatchObject({ status: 'draft', ...at(1, 1, 2) })
  })

  test('partners do not share ids', async () => {
    await catalog.store.apply(batch({ listings: [published(), published({ partner: 'beta' })], deletions: [] }))
    await remove(sampleListing.cycle + 1)
    expect(await rows()).toMatchObject([
      { partner: 'acme', status: 'inactive' },
      { partner: 'beta', status: 'published' },
    ])
  })
})

describe('deletions', () => {
  test('take a row down and keep what it was', async () => {
    await publish(1)
    const { changed_at, ...before } = await row()
    expect(await remove(2)).toEqual(applied({ written: 1, deactivated: 1 }))
    const after = await row()
    expect(after).toMatchObject({ ...before, status: 'inactive', ...at(2, 0) })
    expect(after.changed_at).not.toEqual(changed_at)
  })

  test('of an unknown id leave a tombstone that an older listing does not pass', async () => {
    expect(await remove(2)).toEqual(applied({ written: 1 }))
    expect(await row()).toMatchObject({
      status: 'inactive',
      property_type: null,
      photos: null,
      body: null,
      ...at(2, 0),
    })
    expect(await publish(1)).toEqual(applied({ stale: 1 }))
    expect(await row()).toMatchObject({ status: 'inactive' })
  })

  test('twice do what one does', async () => {
    await publish(1)
    await remove(2)
    const before = await row()
    expect(await remove(2)).toEqual(applied({ written: 1 }))
    expect(await row()).toEqual(before)
    expect(await catalog.store.tally('acme', 2)).toMatchObject({ deactivated: 1 })
  })

  test('older than the row change nothing', async () => {
    await publish(2)
    expect(await remove(1)).toEqual(applied({ stale: 1 }))
    expect(await row()).toMatchObject({ status: 'published' })
  })

  test('a property that comes back is published again', async () => {
    await publish(1)
    await remove(2)
    await publish(3)
    expect(await row()).toMatchObject({ status: 'published', ...at(3) })
  })

  test.each([
    { name: 'deletion first', order: [remove, publish] },
    { name: 'property first', order: [publish, remove] },
    {
      name: 'one batch',
      order: [
        (cycle: number) =>
          catalog.store.apply(
            batch({ listings: [published({ cycle })], deletions: [deletion({ cycle, sequence: 9 })] }),
          ),
      ],
    },
  ])('a property in both feeds of one cycle ends active: $name (assumption A6)', async ({ order }) => {
    await publish(1)
    for (const write of order) await write(2)
    expect(await row()).toMatchObject({ status: 'published', ...at(2) })
  })
})

describe('rejections (assumption A3)', () => {
  test('what was accepted last stays, and the row notes what was refused', async () => {
    await publish(1)
    const before = await row()
    expect(await refuse(2, 7)).toEqual(applied({}))
    expect(await row()).toEqual({ ...before, held_back: note(2, 7) })
  })

  test('an unknown id makes no row', async () => {
    await refuse(1)
    expect(await rows()).toEqual([])
  })

  test('no id at all: only counted (assumption A12)', async () => {
    await catalog.store.apply(batch({ rejections: [rejection({ external_id: null, cycle: 1 })] }))
    expect(await catalog.store.tally('acme', 1)).toMatchObject({ rejected: 1 })
  })

  test('older than the row leave no note', async () => {
    await publish(2, 5)
    await refuse(2, 4)
    expect(await row()).toMatchObject({ held_back: null })
  })

  test('the newest refused version is noted, in one batch or in two', async () => {
    await publish(1)
    await catalog.store.apply(batch({ rejections: [rejection({ cycle: 3 }), rejection({ cycle: 2 })] }))
    await refuse(2, 9)
    expect(await row()).toMatchObject({ held_back: note(3) })
  })

  test.each([
    { name: 'a newer listing', write: () => publish(3) },
    { name: 'a newer draft', write: () => keepDraft(3) },
    { name: 'a newer deletion', write: () => remove(3) },
    { name: 'the same record under other rules', write: () => publish(2) },
  ])('$name clears the note', async ({ write }) => {
    await publish(1)
    await refuse(2)
    await write()
    expect(await row()).toMatchObject({ held_back: null })
  })

  test('a listing between the row and the refused version keeps the note', async () => {
    await publish(1)
    await refuse(2, 8)
    await publish(2, 7)
    expect(await row()).toMatchObject({ ...at(2, 1, 7), held_back: note(2, 8) })
  })
})
