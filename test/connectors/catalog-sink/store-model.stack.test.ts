import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { CatalogBatch } from '../../../connectors/catalog-sink/batch.ts'
import { migrate } from '../../../connectors/catalog-sink/migrations.ts'
import { createPool } from '../../../connectors/catalog-sink/pool.ts'
import { type CatalogStore, createCatalogStore } from '../../../connectors/catalog-sink/store.ts'
import { compareVersions, type Version } from '../../../schemas/version.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { type ModelRow, modelOf } from './catalog-model.ts'
import { batch, deletion, draft, published, rejection } from './records.ts'

const RUNS = 60

let database: TestDatabase
let pool: pg.Pool
let store: CatalogStore

beforeAll(async () => {
  database = await freshDatabase(inject('stack').databaseUrl)
  await migrate(database.url)
  pool = createPool(database.url, { max: 2, applicationName: 'test' })
  store = createCatalogStore(pool)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** What a partner said of one property in one cycle. */
interface Saying {
  readonly what: 'accepted' | 'draft' | 'rejected' | 'deleted'
  readonly id: string
  readonly version: Version
}

const anyWhat = fc.constantFrom('accepted', 'draft', 'rejected', 'deleted')
const anyFeed = fc.array(fc.record({ what: anyWhat, id: fc.constantFrom('A', 'B', 'C') }), { maxLength: 6 })
/** Three cycles of a few properties. A record's place in its feed is its place here. */
const anyHistory = fc
  .tuple(anyFeed, anyFeed, anyFeed)
  .map(feeds =>
    feeds.flatMap((feed, index) =>
      feed.map(({ what, id }, sequence): Saying => ({ what, id, version: versionOf(what, index + 1, sequence) })),
    ),
  )
const versionOf = (what: Saying['what'], cycle: number, sequence: number): Version => ({
  cycle,
  phase: what === 'deleted' ? 0 : 1,
  sequence,
})

function batchOf(partner: string, sayings: readonly Saying[]): CatalogBatch {
  const recordsOf = <T>(wanted: readonly Saying['what'][], make: (saying: Saying, record: object) => T): T[] =>
    sayings
      .filter(({ what }) => wanted.includes(what))
      .map(saying => {
        const { cycle, sequence } = saying.version
        return make(saying, { partner, external_id: saying.id, cycle, sequence, city: `${cycle}-${sequence}` })
      })
  return batch({
    listings: recordsOf(['accepted', 'draft'], ({ what }, record) =>
      what === 'draft' ? draft(record) : published(record),
    ),
    rejections: recordsOf(['rejected'], (_, record) => rejection(record)),
    deletions: recordsOf(['deleted'], (_, record) => deletion(record)),
  })
}

/** Every saying at least once, some again, in any order, cut into any batches. */
const anyDelivery = anyHistory.chain(history =>
  fc
    .tuple(fc.shuffledSubarray(history), fc.array(fc.nat(), { maxLength: 8 }))
    .map(([again, cuts]) => ({ sayings: [...history, ...again], cuts }))
    .chain(({ sayings, cuts }) =>
      fc.shuffledSubarray(sayings, { minLength: sayings.length }).map(shuffled => cutUp(shuffled, cuts)),
    ),
)

function cutUp<T>(items: readonly T[], cuts: readonly number[]): T[][] {
  const ends = [...new Set(cuts.map(cut => cut % (items.length + 1))), items.length].sort((a, b) => a - b)
  return ends.map((end, index) => items.slice(index === 0 ? 0 : ends[index - 1], end))
}

test('whatever the order, repetition and batches: the newest version wins', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(anyDelivery, async delivery => {
      const partner = `any-${run++}`
      const batches = delivery.map(sayings => batchOf(partner, sayings))
      for (const records of batches) await store.apply(records)

      const model = modelOf(batches)
      const stored = await storedRows(partner)
      expect(stored).toEqual(model.rows)
      for (const cycle of [1, 2, 3]) {
        expect((await store.tally(partner, cycle)).deactivated).toBe(model.deactivated.get(cycle) ?? 0)
      }
      for (const [id, newest] of newestById(delivery.flat())) expect(stored.get(id)?.version).toEqual(newest)
    }),
    { numRuns: RUNS },
  )
})

/** Without the model: no rule but the version decides. */
function newestById(sayings: readonly Saying[]): Map<string, Version> {
  const newest = new Map<string, Version>()
  for (const { what, id, version } of sayings) {
    const known = newest.get(id)
    if (what !== 'rejected' && (known === undefined || compareVersions(version, known) > 0)) newest.set(id, version)
  }
  return newest
}

async function storedRows(partner: string): Promise<Map<string, ModelRow>> {
  const { rows } = await pool.query(
    `SELECT external_id, status, city, held_back, version_cycle::int AS cycle, version_phase AS phase, version_seq::int AS sequence
     FROM predio.listing WHERE partner = $1`,
    [partner],
  )
  const entries = rows.map(({ external_id, status, city, held_back, cycle, phase, sequence }): [string, ModelRow] => {
    const heldBack = held_back && { cycle: held_back.cycle, phase: 1, sequence: held_back.sequence }
    return [external_id, { status, city, heldBack, version: { cycle, phase, sequence } }]
  })
  return new Map(entries)
}

/** As Kafka delivers: each route in order, now and then back to what was committed last. */
const anyReading = fc.array(
  fc.record({ route: fc.constantFrom('accepted', 'draft', 'rejected'), take: fc.nat(6), stepBack: fc.nat(4) }),
  { maxLength: 20 },
)

test('the tally is exact however often a batch comes again', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(anyHistory, anyReading, async (history, reading) => {
      const partner = `read-${run++}`
      const logs = Object.groupBy(history, ({ what }) => what)
      const positions = { accepted: 0, draft: 0, rejected: 0 }
      const rest = (['accepted', 'draft', 'rejected'] as const).map(route => ({ route, take: 18, stepBack: 0 }))
      for (const { route, take, stepBack } of [...reading, ...rest]) {
        const log = logs[route] ?? []
        const from = Math.max(positions[route] - stepBack, 0)
        positions[route] = Math.max(positions[route], Math.min(from + take, log.length))
        await store.apply(batchOf(partner, log.slice(from, from + take)))
      }
      for (const cycle of [1, 2, 3]) {
        const seen = (what: Saying['what']) =>
          (logs[what] ?? []).filter(({ version }) => version.cycle === cycle).length
        expect(await store.tally(partner, cycle)).toEqual({
          accepted: seen('accepted'),
          draft: seen('draft'),
          rejected: seen('rejected'),
          deactivated: 0,
        })
      }
    }),
    { numRuns: RUNS },
  )
})
