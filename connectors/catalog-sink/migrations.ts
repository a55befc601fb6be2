import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { PredioError } from '../../schemas/errors.ts'
import { connectionTo, databaseFault, ignoreLostConnection, placeOf } from './pool.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
const SCHEMA = 'predio'
const TABLE = 'migration'
/** PostgreSQL 18, as `server_version_num` has it. */
const OLDEST_SERVER = 180_000
/** We report what was applied and what failed ourselves. */
const QUIET = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Brings the tables up to date, all pending migrations or none; waits for another process that is at it.
 *
 * @param options.dryRun reads only, creates nothing
 * @returns names of the migrations applied, or pending in a dry run, oldest first
 * @throws  DATABASE_UNREACHABLE, DATABASE_NOT_READY for a server older than PostgreSQL 18
 */
export async function migrate(databaseUrl: string, { dryRun = false }: { dryRun?: boolean } = {}): Promise<string[]> {
  return withClient(databaseUrl, async client => {
    await requireServer(client)
    const pending = await pendingIn(client)
    if (dryRun || pending.length === 0) return pending
    const applied = await runner({
      dbClient: client,
      dir: FOLDER,
      direction: 'up',
      schema: SCHEMA,
      migrationsTable: TABLE,
      // Where an administrator made the schema, our account may lack the right to make one.
      createSchema: !(await hasSchema(client)),
      singleTransaction: true,
      advisoryLockMode: 'wait',
      logger: QUIET,
    })
    return applied.map(({ name }) => name)
  })
}

/** Names of the migrations that this version has and the database has not, oldest first. @throws DATABASE_UNREACHABLE */
export function pendingMigrations(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, pendingIn)
}

/** @throws DATABASE_NOT_READY when tables are missing or older than this version; DATABASE_UNREACHABLE */
export async function requireMigrated(pool: pg.Pool): Promise<void> {
  const place = placeOf(pool.options)
  const pending = await pendingIn(pool).catch(error => Promise.reject(databaseFault(error, place)))
  if (pending.length > 0) throw new PredioError('DATABASE_NOT_READY', { ...place, pending: pending.join(' ') })
}

async function pendingIn(database: pg.Pool | pg.Client): Promise<string[]> {
  const known = (await readdir(FOLDER)).filter(file => file.endsWith('.sql')).map(file => file.slice(0, -'.sql'.length))
  const found = await database.query('SELECT to_regclass($1) IS NOT NULL AS there', [`${SCHEMA}.${TABLE}`])
  if (!found.rows[0].there) return known.sort()
  const { rows } = await database.query<{ name: string }>(`SELECT name FROM ${SCHEMA}.${TABLE}`)
  const applied = new Set(rows.map(({ name }) => name))
  return known.filter(name => !applied.has(name)).sort()
}

async function hasSchema(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regnamespace($1) IS NOT NULL AS there', [SCHEMA])
  return rows[0].there
}

async function requireServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
  )
  const { version, number } = rows[0]
  if (number < OLDEST_SERVER) {
    throw new PredioError('DATABASE_NOT_READY', { server: `PostgreSQL ${version}`, needed: 'PostgreSQL 18' })
  }
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const config = { ...connectionTo(databaseUrl), application_name: 'predio-setup' }
  const place = placeOf(config)
  const client = new pg.Client(config)
  client.on('error', ignoreLostConnection)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw databaseFault(error, place)
  } finally {
    await client.end().catch(ignoreLostConnection)
  }
}
