import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { migrate, pendingMigrations, requireMigrated } from '../../../connectors/catalog-sink/migrations.ts'
import { createPool } from '../../../connectors/catalog-sink/pool.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'

const ALL = ['0001_catalog']
const { databaseUrl: adminUrl } = inject('stack')

let database: TestDatabase
let client: pg.Client
beforeEach(async () => {
  database = await freshDatabase(adminUrl)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

async function relations(): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('predio') AND relkind IN ('r', 'v') ORDER BY 1`,
  )
  return rows.map(row => row.relname)
}

test('a dry run names what is pending and creates nothing', async () => {
  expect(await migrate(database.url, { dryRun: true })).toEqual(ALL)
  expect(await client.query(`SELECT to_regnamespace('predio') AS schema`)).toMatchObject({ rows: [{ schema: null }] })
})

test('applies once, and then has nothing to do', async () => {
  expect(await pendingMigrations(database.url)).toEqual(ALL)
  expect(await migrate(database.url)).toEqual(ALL)
  expect(await relations()).toEqual(['cycle_tally', 'listing', 'migration', 'published_listing'])
  expect(await migrate(database.url)).toEqual([])
  expect(await pendingMigrations(database.url)).toEqual([])
})

test('two at once: one applies, the other waits and finds it done', async () => {
  const applied = await Promise.all([migrate(database.url), migrate(database.url)])
  expect(applied.flat()).toEqual(ALL)
})

test('down leaves none of our tables, and up works again', async () => {
  await migrate(database.url)
  const quiet = { info() {}, warn() {}, error() {} }
  await runner({
    dbClient: client,
    dir: 'connectors/catalog-sink/migrations',
    direction: 'down',
    count: ALL.length,
    schema: 'predio',
    migrationsTable: 'migration',
    logger: quiet,
  })
  expect(await relations()).toEqual(['migration'])
  expect(await migrate(database.url)).toEqual(ALL)
})

test('needs no right to create schemas where an administrator made ours', async () => {
  const role = `predio_${new URL(database.url).pathname.slice(1)}`
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; CREATE SCHEMA predio AUTHORIZATION ${role}`)
  const url = new URL(database.url)
  url.username = role
  url.password = 'secret'
  expect(await migrate(url.href)).toEqual(ALL)
  await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
})

describe('requireMigrated', () => {
  let pool: pg.Pool
  beforeEach(() => {
    pool = createPool(database.url, { max: 1, applicationName: 'test' })
  })
  afterEach(() => pool.end())

  test('says what is missing and how to mend it', async () => {
    await expect(requireMigrated(pool)).rejects.toMatchObject({
      code: 'DATABASE_NOT_READY',
      context: { pending: ALL.join(' ') },
      message: expect.stringContaining('predio setup'),
    })
  })

  test('is content after setup', async () => {
    await migrate(database.url)
    await expect(requireMigrated(pool)).resolves.toBeUndefined()
  })
})

describe('where nothing answers', () => {
  let url: string
  beforeAll(async () => {
    url = `postgres://ana:canary@127.0.0.1:${await closedPort()}/market`
  })

  test.each([
    { name: 'migrate', call: () => migrate(url) },
    { name: 'pendingMigrations', call: () => pendingMigrations(url) },
    {
      name: 'requireMigrated',
      call: () => {
        const pool = createPool(url, { max: 1, applicationName: 'test' })
        return requireMigrated(pool).finally(() => pool.end())
      },
    },
  ])('$name says where, never with the password', async ({ call }) => {
    const error: unknown = await call().catch(error => error)
    expect(error).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      retriable: true,
      context: { host: '127.0.0.1', port: Number(new URL(url).port), database: 'market' },
    })
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('canary')
  })
})

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}
