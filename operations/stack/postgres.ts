import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { PredioError } from '../../schemas/errors.ts'
import type { Part } from './part.ts'
import type { PostgresHome } from './postgres-home.ts'
import { untilDone, untilReady } from './readiness.ts'
import type { WatchedChild } from './watched-child.ts'

const START_LIMIT_MS = 60_000
const NAME = 'predio'
/** Messages in English whatever the machine speaks: we show them, and the tail of the log is searched for words. */
const ENV = { LC_ALL: 'C' }
/** SQLSTATE of CREATE DATABASE when it is there already. */
const DUPLICATE_DATABASE = '42P04'

/** Makes the cluster on its first start. Resolves once the database answers. */
export async function startPostgres(part: Part, home: PostgresHome): Promise<[WatchedChild, string]> {
  const { ports, launch, signal } = part
  const { account, folder, binDir } = home
  const data = join(folder, 'data')
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const passwordFile = await passwordFileIn(home)

  if (!existsSync(join(folder, 'initialised'))) {
    await rm(data, { recursive: true, force: true }) // of an initdb that was cut off
    await mkdir(data, { mode: 0o700 })
    if (account) await chown(data, account.uid, account.gid)
    const initdb = initdbArgs(data, passwordFile)
    await untilDone(
      await launch({ name: 'postgres-init', command: join(binDir, 'initdb'), args: initdb, account, env: ENV }),
    )
    await writeFile(join(folder, 'initialised'), '')
  }
  const server = await launch({
    name: 'postgres',
    command: join(binDir, 'postgres'),
    args: serverArgs(data, ports.postgres),
    account,
    env: ENV,
    stopSignal: 'SIGINT',
  })
  const url = (database: string, password: string) =>
    `postgres://${NAME}:${password}@127.0.0.1:${ports.postgres}/${database}`
  const password = await readFile(passwordFile, 'utf8')
  await untilReady(server, () => answersSql(url('postgres', password)), START_LIMIT_MS, signal)
  await createDatabase(url('postgres', password))
  return [server, url(NAME, password)]
}

/** The builtin locale sorts and compares alike on every machine. @source PostgreSQL 18, "Locale Providers" */
function initdbArgs(data: string, passwordFile: string): string[] {
  const access = ['--username', NAME, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
  const locale = ['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8']
  return ['--pgdata', data, ...access, ...locale]
}

/** On loopback alone, no socket file in /tmp. Durability (fsync) stays as PostgreSQL has it: on. */
function serverArgs(data: string, port: number): string[] {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'log_timezone=UTC']
  return ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])]
}

/** Hex, so it needs no escaping in a URL. Readable by its owner alone, who must be the one that runs `initdb`. */
async function passwordFileIn({ folder, account }: PostgresHome): Promise<string> {
  const path = join(folder, 'password')
  if (!existsSync(path)) {
    await writeFile(path, randomBytes(24).toString('hex'), { mode: 0o600 })
    if (account) await chown(path, account.uid, account.gid)
  }
  return path
}

async function answersSql(url: string): Promise<boolean> {
  try {
    await ask(url, 'select 1')
    return true
  } catch {
    return false // not listening yet, or still starting up; the log tells why where it stays so
  }
}

async function createDatabase(url: string): Promise<void> {
  try {
    await ask(url, `create database ${NAME}`)
  } catch (cause) {
    const { code, message } = cause as Error & { code?: string }
    if (code === DUPLICATE_DATABASE) return
    throw new PredioError('STACK_START_FAILED', { part: 'postgres', reason: message }, { cause })
  }
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {}) // the server going away ends the query below; it needs no second report
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}
