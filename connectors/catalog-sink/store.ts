import type pg from 'pg'
import {
  type CatalogBatch,
  type CatalogRecord,
  halvesOf,
  newestByKey,
  sizeOf,
  soleRecordOf,
  tallyOf,
  versionOfDeletion,
  versionOfProperty,
} from './batch.ts'
import { databaseFault, isDataFault, placeOf } from './pool.ts'
import {
  addTally,
  deactivate,
  type NamedRejection,
  noteRejections,
  type Statement,
  upsertListings,
} from './statements.ts'
import { transact } from './transaction.ts'

export type { CatalogBatch } from './batch.ts'

/**
 * How long the database may work on, or wait for a lock in, one statement: shorter than a Kafka session (30 s), as the
 * caller can show a sign of life only between two attempts. A batch of 1,000 takes a tenth of a second.
 */
const STATEMENT_TIMEOUT_MS = 10_000

export interface CatalogStore {
  /**
   * Writes the batch in one transaction: deletions, listings, rejections, tally. Applying it again changes nothing, so
   * after any error the whole batch may come again. Where the database refuses a record for what it holds, the batch is
   * halved until that record is alone, and everything else is written.
   *
   * @throws DATABASE_UNREACHABLE (retriable), DATABASE_NOT_READY; the batch, or halves of it, may have been written
   */
  apply(batch: CatalogBatch): Promise<Applied>
  /** Rows by status, of one partner or of all. @throws as `apply` */
  counts(partner?: string): Promise<Counts>
  /** What the catalog has seen of a cycle. @throws as `apply` */
  tally(partner: string, cycle: number): Promise<Tally>
}

/** Listings and deletions are each written, stale or refused; rejections show in none but `refused`. */
export interface Applied {
  readonly written: number
  /** Left out because the row, or another record of the batch, is newer. */
  readonly stale: number
  /** Of the written: deletions that took a published or draft row down. */
  readonly deactivated: number
  /** In no particular order. Not in the tally. */
  readonly refused: readonly Refused[]
}

/** A record that the database cannot hold: for the dead letters. */
export type Refused = CatalogRecord & {
  readonly sqlState: string
  /** The database's words, without the partner's value that it may quote at their end. */
  readonly message: string
}

export interface Counts {
  readonly published: number
  readonly draft: number
  readonly inactive: number
}

export interface Tally {
  readonly accepted: number
  readonly draft: number
  readonly rejected: number
  readonly deactivated: number
}

/** @param pool of `createPool`: its connections send the statements of a transaction without waiting for each answer */
export function createCatalogStore(
  pool: pg.Pool,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS }: { statementTimeoutMs?: number } = {},
): CatalogStore {
  const place = placeOf(pool.options)

  async function apply(batch: CatalogBatch): Promise<Applied> {
    if (sizeOf(batch) === 0) return NOTHING
    const steps = stepsOf(batch)
    try {
      const statements = steps.map(({ statement }) => statement)
      const answers = await transact(pool, statements, statementTimeoutMs)
      const counted = steps.map(({ read }, index) => read(answers[index]!))
      const written = counted.reduce((sum, step) => sum + step.written, 0)
      const deactivated = counted.reduce((sum, step) => sum + step.deactivated, 0)
      return { ...NOTHING, written, deactivated, stale: batch.listings.length + batch.deletions.length - written }
    } catch (error) {
      if (!isDataFault(error)) throw databaseFault(error, place)
      if (sizeOf(batch) > 1) return applyHalves(batch)
      const refused = { ...soleRecordOf(batch), sqlState: error.code!, message: error.message.replace(/: ".*$/s, '') }
      return { ...NOTHING, refused: [refused] }
    }
  }

  /** One after the other: the tally counts on the order of the records. */
  async function applyHalves(batch: CatalogBatch): Promise<Applied> {
    const [first, second] = halvesOf(batch)
    return sumOf(await apply(first), await apply(second))
  }

  async function read<T extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<T[]> {
    try {
      return (await pool.query<T>(text, values)).rows
    } catch (error) {
      throw databaseFault(error, place)
    }
  }

  return {
    apply,

    async counts(partner) {
      const rows = await read<{ status: keyof Counts; rows: number }>(
        `SELECT status, count(*)::int AS rows FROM predio.listing ${partner === undefined ? '' : 'WHERE partner = $1'} GROUP BY status`,
        partner === undefined ? [] : [partner],
      )
      return { published: 0, draft: 0, inactive: 0, ...Object.fromEntries(rows.map(row => [row.status, row.rows])) }
    },

    async tally(partner, cycle) {
      const rows = await read<{ route: keyof Tally; records: number }>(
        'SELECT route, records::int AS records FROM predio.cycle_tally WHERE partner = $1 AND cycle = $2',
        [partner, cycle],
      )
      const counted = Object.fromEntries(rows.map(row => [row.route, row.records]))
      return { accepted: 0, draft: 0, rejected: 0, deactivated: 0, ...counted }
    },
  }
}

const NOTHING: Applied = { written: 0, stale: 0, deactivated: 0, refused: [] }

interface Step {
  readonly statement: Statement
  readonly read: (answer: pg.QueryResult) => Pick<Applied, 'written' | 'deactivated'>
}

function stepsOf(batch: CatalogBatch): Step[] {
  const deletions = newestByKey(batch.deletions, deletion => deletion, versionOfDeletion)
  const listings = newestByKey(
    batch.listings,
    ({ listing }) => listing,
    ({ listing }) => versionOfProperty(listing),
  )
  const named = batch.rejections.filter((rejection): rejection is NamedRejection => rejection.external_id !== null)
  const rejections = newestByKey(named, rejection => rejection, versionOfProperty)
  const tally = tallyOf(batch)

  const steps: Step[] = []
  const none = () => ({ written: 0, deactivated: 0 })
  if (deletions.length > 0) steps.push({ statement: deactivate(deletions), read: ({ rows }) => rows[0] })
  if (listings.length > 0) {
    steps.push({
      statement: upsertListings(listings),
      read: ({ rowCount }) => ({ written: rowCount!, deactivated: 0 }),
    })
  }
  if (rejections.length > 0) steps.push({ statement: noteRejections(rejections), read: none })
  if (tally.length > 0) steps.push({ statement: addTally(tally), read: none })
  return steps
}

function sumOf(a: Applied, b: Applied): Applied {
  return {
    written: a.written + b.written,
    stale: a.stale + b.stale,
    deactivated: a.deactivated + b.deactivated,
    refused: [...a.refused, ...b.refused],
  }
}
