import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import pino from 'pino'
import { inject } from 'vitest'
import { createPool } from '../../connectors/catalog-sink/pool.ts'
import { createCatalogStore } from '../../connectors/catalog-sink/store.ts'
import { readEnvironment } from '../../connectors/environment.ts'
import { connectAdmin, connectKafka } from '../../connectors/kafka/client.ts'
import { Schemas } from '../../connectors/kafka/schema-registry.ts'
import { readPartners } from '../../connectors/partners.ts'
import { ROLE_NAMES, type RoleName } from '../../operations/roles.ts'
import { setup } from '../../operations/setup.ts'
import { cycleView } from './cycle-view.ts'
import { freshDatabase } from './database.ts'
import { type PartnerOptions, startPartner, type TestPartner } from './partner.ts'
import { roleCrew } from './role-crew.ts'
import { RoleLog } from './role-log.ts'
import { TopicView } from './topic-view.ts'

/** A partner of the pipeline: the CRM's side, and what the partner file says of it. */
export interface PartnerPlan extends PartnerOptions {
  /** Default 1s. A partner of `1h` has one cycle in a test. */
  readonly every?: string
  /** Default 2s: a change made while a cycle runs is surely part of the next one. */
  readonly overlap?: string
  /** Default 50. */
  readonly pageSize?: number
  readonly requestTimeout?: string
  /** Default 6,000,000: as fast as it goes. */
  readonly requestsPerMinute?: number
}

export interface PipelineOptions {
  readonly partners: Readonly<Record<string, PartnerPlan>>
  /** The ones to start at once; default all. */
  readonly roles?: readonly RoleName[]
}

/** Of the columns that a test compares; prices as numbers. */
export interface CatalogRow {
  readonly status: string
  readonly version: readonly [cycle: number, phase: number, sequence: number]
  readonly body: unknown
  readonly held_back: { readonly cycle: number; readonly reasons: readonly { readonly code: string }[] } | null
  readonly [column: string]: unknown
}

/** When a plan's listings last changed: before the first cycle by more than any overlap. */
const LONG_AGO_MS = 3_600_000

/** Predio on the real stack, under a prefix and in a database of its own, with scripted partners. */
export type Pipeline = Awaited<ReturnType<typeof startPipeline>>

export async function startPipeline({ partners: plans, roles = ROLE_NAMES }: PipelineOptions) {
  await using undo = new AsyncDisposableStack()
  const stack = inject('stack')
  const prefix = `t-${randomUUID().slice(0, 8)}`
  const log = new RoleLog()

  const database = await freshDatabase(stack.databaseUrl)
  undo.defer(() => database.drop())
  const partners = new Map<string, TestPartner>()
  for (const [id, plan] of Object.entries(plans)) partners.set(id, undo.use(await partnerOf(id, plan)))
  const partner = (id: string): TestPartner => partners.get(id)!
  const folder = await mkdtemp(join(tmpdir(), 'predio-pipeline-'))
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const partnerFile = join(folder, 'partners.json')
  const entries = Object.entries(plans).map(([id, plan]) => entryOf(id, plan, partner(id).baseUrl))
  await writeFile(partnerFile, JSON.stringify({ partners: entries }))

  const env: NodeJS.ProcessEnv = {
    ...process.env,
    KAFKA_BROKERS: stack.brokers,
    KAFKA_SESSION_TIMEOUT: '6000', // the broker's minimum: how long a killed role's partitions stay with it
    SCHEMA_REGISTRY_URL: stack.registryUrl,
    DATABASE_URL: database.url,
    PREDIO_PREFIX: prefix,
    PREDIO_PARTNERS: partnerFile,
    PREDIO_PARTITIONS: '3',
    LOG_LEVEL: 'debug',
    ...Object.fromEntries([...partners].map(([id, { apiKey }]) => [secretOf(id), apiKey])),
  }
  const environment = readEnvironment(env)
  const silent = pino({ level: 'silent' })
  const kafka = connectKafka(environment.kafka, 'test', silent)
  const admin = await connectAdmin(kafka)
  undo.defer(() => admin.disconnect())
  const pool = createPool(database.url, { max: 2, applicationName: 'test' })
  undo.defer(() => pool.end())
  const { tally } = createCatalogStore(pool)
  const schemas = new Schemas(environment.registryUrl)
  const view = new TopicView({ kafka, admin, schemas, prefix, stack, log })
  undo.defer(() => view.drop())
  await setup({ environment, partners: readPartners(partnerFile), dryRun: false, log: silent })

  const crew = roleCrew(env, log)
  undo.defer(crew.stopAll)
  // The source last: no first cycle has to wait for the others to get ready.
  await Promise.all(roles.filter(role => role !== 'source').map(role => crew.start(role)))
  if (roles.includes('source')) await crew.start('source')
  const everything = undo.move()
  return {
    ...crew,
    ...cycleView({ log, partner, tally }),
    ...{ env, pool, log, view, partner, tally },
    catalog: (id: string) => catalogRows(pool, id),
    /** Ends and removes everything; what still waits for an event is told so. */
    async close(): Promise<void> {
      log.fail(new Error('the pipeline was closed'))
      await everything.disposeAsync()
    },
  }
}

async function partnerOf(id: string, { listings = [], ...plan }: PartnerPlan): Promise<TestPartner> {
  const partner = await startPartner({ apiKey: `key-of-${id}`, ...plan })
  for (const listing of listings) partner.put(listing, partner.nowMs() - LONG_AGO_MS)
  return partner
}

/** Of the partner file. */
function entryOf(id: string, plan: PartnerPlan, baseUrl: string): object {
  const { every = '1s', overlap = '2s', pageSize = 50, requestTimeout = '30s', requestsPerMinute = 6_000_000 } = plan
  const request = { request_timeout: requestTimeout, page_size: pageSize, requests_per_minute: requestsPerMinute }
  const auth = { header: 'x-api-key', secret: `env:${secretOf(id)}` }
  return { id, base_url: baseUrl, auth, every, overlap, allow_private: true, ...request }
}

const secretOf = (partner: string): string => `KEY_${partner.replaceAll('-', '_').toUpperCase()}`

/** The partner's rows by `external_id`. */
async function catalogRows(pool: pg.Pool, partner: string): Promise<Map<string, CatalogRow>> {
  const { rows } = await pool.query<Record<string, unknown> & { external_id: string }>(
    `SELECT *, ARRAY[version_cycle, version_phase, version_seq]::float8[] AS version,
       rent_price::float8 AS rent_price, sale_price::float8 AS sale_price
     FROM predio.listing WHERE partner = $1 ORDER BY external_id`,
    [partner],
  )
  return new Map(rows.map(row => [row.external_id, row as unknown as CatalogRow]))
}
