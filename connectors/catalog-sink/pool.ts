import pg from 'pg'
import { PredioError } from '../../schemas/errors.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Above the limit that the server keeps itself: only a server that is gone, or frozen, is met by this one. */
const SILENCE_TIMEOUT_MS = 20_000

/** Where the database is, for messages: never who we are there. */
export interface DatabasePlace {
  readonly host: string
  readonly port: number
  readonly database: string | undefined
}

export interface PoolSettings {
  /** Most connections at a time. */
  readonly max: number
  /** How the connections are named in `pg_stat_activity`. */
  readonly applicationName: string
}

/** Connects on first use. @throws DATABASE_UNREACHABLE when the URL cannot be read */
export function createPool(databaseUrl: string, { max, applicationName }: PoolSettings): pg.Pool {
  const config: pg.PoolConfig = {
    ...connectionTo(databaseUrl),
    max,
    application_name: applicationName,
    query_timeout: SILENCE_TIMEOUT_MS,
    pipeline: true,
  }
  placeOf(config)
  const pool = new pg.Pool(config)
  pool.on('error', ignoreLostConnection)
  return pool
}

/** What every connection of ours has in common. */
export function connectionTo(databaseUrl: string): pg.ClientConfig {
  return { connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true }
}

/** For a client's `error` event, which ends the process where nobody listens. Whoever uses the connection gets the error. */
export function ignoreLostConnection(): void {}

/** @throws DATABASE_UNREACHABLE when the URL cannot be read; without a cause, which could hold the password */
export function placeOf(config: pg.ClientConfig): DatabasePlace {
  try {
    const { host, port, database } = new pg.Client(config)
    return { host, port, database }
  } catch {
    throw new PredioError('DATABASE_UNREACHABLE', { reason: 'DATABASE_URL is no postgres:// URL' })
  }
}

/** What the values of a record can cause, whoever else is well: data, an integrity constraint, a limit of the program. */
export function isDataFault(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(22|23|54)/.test(error.code ?? '')
}

/** undefined_table, undefined_column, invalid_schema_name */
const NOT_MIGRATED = new Set(['42P01', '42703', '3F000'])

/** Anything nobody listed is taken for an unreachable database: waiting and trying again loses no record. */
export function databaseFault(cause: unknown, place: DatabasePlace): PredioError {
  if (PredioError.is(cause)) return cause
  const { code, message } = cause as { code?: string; message?: string }
  const where = { host: place.host, port: place.port, database: place.database }
  if (NOT_MIGRATED.has(code ?? '')) return new PredioError('DATABASE_NOT_READY', where, { cause })
  // Several addresses refused at once (`localhost`) come as an error without a message.
  const reason = message?.split('\n', 1)[0] || code
  return new PredioError('DATABASE_UNREACHABLE', { ...where, reason }, { cause })
}
