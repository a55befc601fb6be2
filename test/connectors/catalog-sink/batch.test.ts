import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CatalogBatch,
  halvesOf,
  newestByKey,
  sizeOf,
  soleRecordOf,
  tallyOf,
  versionOfDeletion,
  versionOfProperty,
} from '../../../connectors/catalog-sink/batch.ts'
import { batch, deletion, draft, published, rejection } from './records.ts'

describe('newestByKey', () => {
  const row = (partner: string, external_id: string, cycle: number, sequence: number) => ({
    partner,
    external_id,
    cycle,
    sequence,
  })
  const first = row('acme', 'A', 2, 7)
  const again = { ...first }

  test.each([
    { name: 'nothing', records: [], kept: [] },
    {
      name: 'orders by partner, then id',
      records: [row('beta', 'A', 1, 0), row('acme', 'B', 1, 1), row('acme', 'A', 1, 2)],
      kept: [row('acme', 'A', 1, 2), row('acme', 'B', 1, 1), row('beta', 'A', 1, 0)],
    },
    {
      name: 'a later record of the cycle wins',
      records: [row('acme', 'A', 1, 1), row('acme', 'A', 1, 2)],
      kept: [row('acme', 'A', 1, 2)],
    },
    {
      name: 'the newer cycle wins, whatever the order and the sequence',
      records: [row('acme', 'A', 2, 0), row('acme', 'A', 1, 9)],
      kept: [row('acme', 'A', 2, 0)],
    },
    {
      name: 'the same id of two partners is two properties',
      records: [row('acme', 'A', 1, 0), row('beta', 'A', 1, 0)],
      kept: [row('acme', 'A', 1, 0), row('beta', 'A', 1, 0)],
    },
    {
      name: 'an id may look like a key',
      records: [row('acme', 'b/A', 1, 0), row('acme', 'b', 1, 1)],
      kept: [row('acme', 'b', 1, 1), row('acme', 'b/A', 1, 0)],
    },
  ])('$name', ({ records, kept }) => {
    expect(newestByKey(records, record => record, versionOfProperty)).toEqual(kept)
  })

  test('of equal versions the last one wins: it went through the newer rules', () => {
    expect(newestByKey([first, again], record => record, versionOfProperty)[0]).toBe(again)
  })
})

test('in a cycle a deletion is older than any property (assumption A6)', () => {
  expect(versionOfDeletion(deletion({ cycle: 1, sequence: 9 }))).toEqual({ cycle: 1, phase: 0, sequence: 9 })
  expect(versionOfProperty(published().listing)).toMatchObject({ phase: 1 })
})

test.each([
  { name: 'nothing', records: {}, tally: [] },
  { name: 'deletions are counted by the database', records: { deletions: [deletion()] }, tally: [] },
  {
    name: 'by partner, cycle and route, in the order of their keys',
    records: {
      listings: [
        published({ cycle: 2, sequence: 0 }),
        draft({ cycle: 1, sequence: 3 }),
        published({ cycle: 1, sequence: 4 }),
        published({ partner: 'abc', cycle: 1, sequence: 0 }),
      ],
      rejections: [rejection({ cycle: 1, sequence: 5 })],
    },
    tally: [
      { partner: 'abc', cycle: 1, route: 'accepted', sequences: [0] },
      { partner: 'acme', cycle: 1, route: 'accepted', sequences: [4] },
      { partner: 'acme', cycle: 1, route: 'draft', sequences: [3] },
      { partner: 'acme', cycle: 1, route: 'rejected', sequences: [5] },
      { partner: 'acme', cycle: 2, route: 'accepted', sequences: [0] },
    ],
  },
  {
    name: 'a rejection without an id counts (assumption A12)',
    records: { rejections: [rejection({ external_id: null, cycle: 1, sequence: 2 })] },
    tally: [{ partner: 'acme', cycle: 1, route: 'rejected', sequences: [2] }],
  },
  {
    name: 'every version of a property counts, a redelivery does not',
    records: { listings: [1, 4, 1, 4, 6].map(sequence => published({ cycle: 1, sequence })) },
    tally: [{ partner: 'acme', cycle: 1, route: 'accepted', sequences: [1, 4, 6] }],
  },
])('tallyOf: $name', ({ records, tally }) => {
  expect(tallyOf(batch(records))).toEqual(tally)
})

const anyBatch = fc
  .record({ deletions: fc.nat(5), listings: fc.nat(5), rejections: fc.nat(5) })
  .map(({ deletions, listings, rejections }) => ({
    deletions: Array.from({ length: deletions }, (_, sequence) => deletion({ sequence })),
    listings: Array.from({ length: listings }, (_, sequence) => published({ sequence })),
    rejections: Array.from({ length: rejections }, (_, sequence) => rejection({ sequence })),
  }))

/** As a batch is written: deletions, listings, rejections. */
const inOrder = ({ deletions, listings, rejections }: CatalogBatch) => [...deletions, ...listings, ...rejections]

test('halvesOf keeps every record and their order, and always gets smaller', () => {
  fc.assert(
    fc.property(anyBatch, whole => {
      fc.pre(sizeOf(whole) > 1)
      const [first, second] = halvesOf(whole)
      expect([...inOrder(first), ...inOrder(second)]).toEqual(inOrder(whole))
      expect(Math.abs(sizeOf(first) - sizeOf(second))).toBeLessThanOrEqual(1)
    }),
  )
})

test('soleRecordOf hands back the very object that came in', () => {
  const write = published()
  const refused = rejection()
  const gone = deletion()
  expect(soleRecordOf(batch({ listings: [write] }))).toEqual({ kind: 'listing', record: write.listing })
  expect(soleRecordOf(batch({ listings: [write] })).record).toBe(write.listing)
  expect(soleRecordOf(batch({ rejections: [refused] })).record).toBe(refused)
  expect(soleRecordOf(batch({ deletions: [gone] })).record).toBe(gone)
})
