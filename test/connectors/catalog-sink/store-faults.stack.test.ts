import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import type { CatalogBatch } from '../../../connectors/catalog-sink/batch.ts'
import { migrate } from '../../../connectors/catalog-sink/migrations.ts'
import { createPool } from '../../../connectors/catalog-sink/pool.ts'
import { type CatalogStore, createCatalogStore } from '../../../connectors/catalog-sink/store.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { batch, deletion, draft, published, rejection } from './records.ts'

const APPLICATION = 'store-faults'

let database: TestDatabase
let admin: pg.Client
/** Holds locks. Within a transaction `pg_stat_activity` would stand still for it, so it cannot watch, too. */
let holder: pg.Client
let pool: pg.Pool
let store: CatalogStore

beforeAll(async () => {
  database = await freshDatabase(inject('stack').databaseUrl)
  await migrate(database.url)
  admin = new pg.Client({ connectionString: database.url })
  holder = new pg.Client({ connectionString: database.url })
  await Promise.all([admin.connect(), holder.connect()])
})
afterAll(async () => {
  await Promise.all([admin.end(), holder.end()])
  await database.drop()
})
beforeEach(async () => {
  await admin.query('TRUNCATE predio.listing, predio.cycle_tally')
  pool = createPool(database.url, { max: 2, applicationName: APPLICATION })
  store = createCatalogStore(pool)
})
afterEach(() => pool.end())

const cycle = 1
const good = (sequence: number) => published({ external_id: `good-${sequence}`, cycle, sequence })
async function idsStored(): Promise<string[]> {
  return (await admin.query('SELECT external_id FROM predio.listing ORDER BY version_seq')).rows.map(
    row => row.external_id,
  )
}

describe('a record that the database cannot hold (reliability S12)', () => {
  test.each([
    { name: 'NUL in text', bad: { city: 'a\0b' }, sqlState: '22021' },
    { name: 'NUL in JSON', bad: { body: '{"title":"a\\u0000b"}' }, sqlState: '22P05' },
    { name: 'a lone surrogate in text', bad: { city: 'a\ud800' }, sqlState: '22021' },
    { name: 'a lone surrogate in JSON', bad: { body: '{"title":"\\ud800"}' }, sqlState: '22P02' },
    { name: 'a lone surrogate in a photo', bad: { photos: ['\udc00'] }, sqlState: '22021' },
    { name: 'a price that is no number', bad: { rent_price: 'canary' }, sqlState: '22P02' },
    { name: 'a price too large', bad: { rent_price: '1e200000' }, sqlState: '22003' },
    { name: 'a body that is no JSON', bad: { body: '{' }, sqlState: '22P02' },
    { name: 'a body too deep', bad: { body: '['.repeat(100_000) + ']'.repeat(100_000) }, sqlState: '54001' },
    { name: 'a city too long to be indexed', bad: { city: unlike(9_000) }, sqlState: '54000' },
  ])('$name: it alone is refused', async ({ bad, sqlState }) => {
    const { listing } = published({ external_id: 'bad', cycle, sequence: 5, ...bad })
    const listings = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(good).with(5, { status: 'published', listing })
    const applied = await store.apply(batch({ listings }))
    expect(applied).toMatchObject({ written: 8, stale: 0, refused: [{ kind: 'listing', sqlState }] })
    expect(applied.refused[0]!.record).toBe(listing)
    expect(applied.refused[0]!.message).not.toContain('canary')
    expect(await idsStored()).toEqual([0, 1, 2, 3, 4, 6, 7, 8].map(sequence => `good-${sequence}`))
    expect(await store.tally('acme', cycle)).toMatchObject({ accepted: 8 })
  })

  test('of every kind, several at once: all others are written', async () => {
    const message = 'a\0b'
    const reason = { code: 'x', severity: 'BLOCK', field: '', message_es: message, message_en: message } as const
    const badRejection = rejection({ external_id: 'good-2', cycle: 2, sequence: 0, reasons: [reason] })
    const badDeletion = deletion({ external_id: 'a\0b', cycle, sequence: 0 })
    const badListings = [3, 7].map(sequence =>
      published({ external_id: `bad-${sequence}`, cycle, sequence, state: '\0' }),
    )
    const records = batch({
      deletions: [badDeletion, deletion({ external_id: 'gone', cycle, sequence: 1 })],
      listings: [good(2), badListings[0]!, good(4), good(6), badListings[1]!],
      rejections: [badRejection, rejection({ external_id: 'good-4', cycle: 2, sequence: 1 })],
    })
    const { refused, ...counts } = await store.apply(records)
    expect(counts).toEqual({ written: 4, stale: 0, deactivated: 0 })
    expect(new Set(refused.map(({ record }) => record))).toEqual(
      new Set([badDeletion, badListings[0]!.listing, badListings[1]!.listing, badRejection]),
    )
    const { rows } = await admin.query('SELECT external_id FROM predio.listing WHERE held_back IS NOT NULL')
    expect(rows).toEqual([{ external_id: 'good-4' }])
    expect(await idsStored()).toEqual(['gone', 'good-2', 'good-4', 'good-6'])
    expect(await store.tally('acme', cycle)).toMatchObject({ accepted: 3 })
    expect(await store.tally('acme', 2)).toMatchObject({ rejected: 1 })
  })

  test('the connection that met it is used again', async () => {
    const pid = async () => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
    const before = await pid()
    await store.apply(batch({ listings: [published({ body: '{' })] }))
    await store.apply(batch({ listings: [good(1)] }))
    expect(await pid()).toBe(before)
  })
})

/** Text that compresses badly, or the index would take it. */
function unlike(length: number): string {
  let state = 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode(33 + (state % 90))
  }
  return Array.from({ length }, next).join('')
}

describe('a database that goes away', () => {
  const records: CatalogBatch = batch({
    listings: [good(0), draft({ external_id: 'draft', cycle, sequence: 1 })],
    rejections: [rejection({ external_id: 'good-0', cycle: 2, sequence: 0 })],
    deletions: [deletion({ external_id: 'gone', cycle, sequence: 0 })],
  })
  const unreachable = { code: 'DATABASE_UNREACHABLE', retriable: true }

  async function expectAllApplied(): Promise<void> {
    expect(await idsStored()).toEqual(expect.arrayContaining(['gone', 'good-0', 'draft']))
    expect(await store.counts()).toEqual({ published: 1, draft: 1, inactive: 1 })
    expect(await store.tally('acme', cycle)).toEqual({ accepted: 1, draft: 1, rejected: 0, deactivated: 0 })
    expect(await store.tally('acme', 2)).toMatchObject({ rejected: 1 })
  }

  /** Runs while another transaction holds the tally row of the rejections, which is the last that `records` writes. */
  async function whileTallyIsLocked(work: () => Promise<void>): Promise<void> {
    await holder.query(`BEGIN; INSERT INTO predio.cycle_tally VALUES ('acme', 2, 'rejected', 0, -1)`)
    try {
      await work()
    } finally {
      await holder.query('ROLLBACK')
    }
  }
  const waitingPid = () =>
    vi.waitUntil(
      async () => {
        const { rows } = await admin.query(
          `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`,
          [APPLICATION],
        )
        return rows[0]?.pid
      },
      { timeout: 10_000, interval: 5 },
    )

  test('killed in the middle: nothing is written, and the same batch then is', async () => {
    await whileTallyIsLocked(async () => {
      const applying = expect(store.apply(records)).rejects.toMatchObject({
        ...unreachable,
        context: { database: expect.any(String) },
      })
      await admin.query('SELECT pg_terminate_backend($1)', [await waitingPid()])
      await applying
    })
    expect(await idsStored()).toEqual([])
    await store.apply(records)
    await expectAllApplied()
    await store.apply(records)
    await expectAllApplied()
  })

  test('a lock held too long is waited for again', async () => {
    const impatient = createCatalogStore(pool, { statementTimeoutMs: 50 })
    await whileTallyIsLocked(async () => {
      const reason = expect.stringContaining('statement timeout')
      await expect(impatient.apply(records)).rejects.toMatchObject({ ...unreachable, context: { reason } })
    })
    await impatient.apply(records)
    await expectAllApplied()
  })

  test('killed while idle: the process lives, and the next batch is written', async () => {
    await store.counts()
    const removed = new Promise(resolve => pool.once('remove', resolve))
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      APPLICATION,
    ])
    await removed
    await store.apply(records)
    await expectAllApplied()
  })

  test('reading reports it alike', async () => {
    const elsewhere = new URL(database.url)
    elsewhere.pathname = '/no_such_database'
    const lost = createPool(elsewhere.href, { max: 1, applicationName: APPLICATION })
    const failing = createCatalogStore(lost)
    const reported = { ...unreachable, context: { database: 'no_such_database' } }
    await expect(failing.counts()).rejects.toMatchObject(reported)
    await expect(failing.tally('acme', 1)).rejects.toMatchObject(reported)
    await expect(failing.apply(records)).rejects.toMatchObject(reported)
    await lost.end()
  })
})

test('tables that are missing are no reason to wait', async () => {
  const empty = await freshDatabase(inject('stack').databaseUrl)
  const emptyPool = createPool(empty.url, { max: 1, applicationName: APPLICATION })
  await expect(createCatalogStore(emptyPool).apply(batch({ listings: [good(0)] }))).rejects.toMatchObject({
    code: 'DATABASE_NOT_READY',
    retriable: false,
  })
  await emptyPool.end()
  await empty.drop()
})
