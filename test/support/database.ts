import { randomUUID } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  readonly url: string
  /** Also ends whatever is still connected. */
  drop(): Promise<void>
}

/** An empty database of its own, for one test file. @param adminUrl an account that may create databases */
export async function freshDatabase(adminUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(adminUrl, `CREATE DATABASE ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function administer(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
