import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { migrate } from '../../../connectors/catalog-sink/migrations.ts'
import { createPool } from '../../../connectors/catalog-sink/pool.ts'
import { type CatalogStore, createCatalogStore } from '../../../connectors/catalog-sink/store.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'

export interface CatalogRig {
  readonly pool: pg.Pool
  readonly store: CatalogStore
}

/** A catalog for the tests of a file, empty before each of them. What it returns is filled in before the first. */
export function catalogRig(): CatalogRig {
  const rig = {} as { pool: pg.Pool; store: CatalogStore }
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(inject('stack').databaseUrl)
    await migrate(database.url)
    rig.pool = createPool(database.url, { max: 2, applicationName: 'test' })
    rig.store = createCatalogStore(rig.pool)
  })
  afterAll(async () => {
    await rig.pool.end()
    await database.drop()
  })
  beforeEach(async () => {
    await rig.pool.query('TRUNCATE predio.listing, predio.cycle_tally')
  })
  return rig
}

export const applied = (counts: object) => ({ written: 0, stale: 0, deactivated: 0, refused: [], ...counts })
