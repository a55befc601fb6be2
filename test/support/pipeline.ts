import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { namesOf } from '../../schemas/topology.ts'
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

/** Before the first cycle by more than any overlap. */
const HOUR_MS = 3_600_000
const PARTITIONS = 3

/** Predio on the real stack, under a prefix and in a database of its own, with scripted partners. */
export type Pipeline = Awaited<ReturnType<typeof startPipeline>>

export async function startPipeline({ partners: plans, roles = ROLE_NAMES }: PipelineOptions) {
  await using undo = new AsyncDisposableStack()
  const stack = inject('stack')
  const prefix = `t-${randomUUID().slice(0, 8)}`
  const names = namesOf(prefix)
  const log = new RoleLog()

  const database = await freshDatabase(stack.databaseUrl)
  undo.defer(() => database.drop())
  const partners = new Map<string, TestPartner>()
  for (const [id, { listings = [], ...plan }] of Object.entries(plans)) {
    const partner = undo.use(await startPartner({ apiKey: `key-of-${id}`, ...plan }))
    for (const listing of listings) partner.put(listing, partner.nowMs() - HOUR_MS)
    partners.set(id, partner)
  }
  const folder = await mkdtemp(join(tmpdir(), 'predio-pipeline-'))
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const partnerFile = join(folder, 'partners.json')
  await writeFile(partnerFile, JSON.stringify({ partners: [...partners].map(entryOf) }))

  function entryOf([id, { baseUrl }]: [string, TestPartner]): object {
    const { every = '1s', overlap = '2s', pageSize = 50, requestTimeout = '30s' } = plans[id]!
    const request = { request_timeout: requestTimeout, page_size: pageSize, requests_per_minute: 6_000_000 }
    const auth = { header: 'x-api-key', secret: `env:${secretOf(id)}` }
    return { id, base_url: baseUrl, auth, every, overlap, allow_private: true, ...request }
  }

  const env: NodeJS.ProcessEnv = {
    ...process.env,
    KAFKA_BROKERS: stack.brokers,
    KAFKA_SESSION_TIMEOUT: '6000', // the broker's minimum: how long a killed role's partitions stay with it
    SCHEMA_REGISTRY_URL: stack.registryUrl,
    DATABASE_URL: database.url,
    PREDIO_PREFIX: prefix,
    PREDIO_PARTNERS: partnerFile,
    PREDIO_PARTITIONS: String(PARTITIONS),
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
  const store = createCatalogStore(pool)
  const view = new TopicView({ kafka, admin, schemas: new Schemas(environment.registryUrl), names, prefix, stack, log })
  undo.defer(() => view.drop(environment.registryUrl))
  await setup({ environment, partners: readPartners(partnerFile), dryRun: false, log: silent })

  const partner = (id: string): TestPartner => partners.get(id)!
  const crew = roleCrew(env, log)
  undo.defer(crew.stopAll)

  /** The partner's rows by `external_id`. */
  async function catalog(partner: string): Promise<Map<string, CatalogRow>> {
    const { rows } = await pool.query<Record<string, unknown> & { external_id: string }>(
      `SELECT *, ARRAY[version_cycle, version_phase, version_seq]::float8[] AS version,
         rent_price::float8 AS rent_price, sale_price::float8 AS sale_price
       FROM predio.listing WHERE partner = $1 ORDER BY external_id`,
      [partner],
    )
    return new Map(rows.map(row => [row.external_id, row as unknown as CatalogRow]))
  }

  // The source last: no first cycle has to wait for the others to get ready.
  await Promise.all(roles.filter(role => role !== 'source').map(role => crew.start(role)))
  if (roles.includes('source')) await crew.start('source')
  const everything = undo.move()
  return {
    ...crew,
    ...cycleView({ log, partner, tally: store.tally }),
    log,
    view,
    partner,
    catalog,
    tally: store.tally,
    /** Ends and removes everything; what still waits for an event is told so. */
    async close(): Promise<void> {
      log.fail(new Error('the pipeline was closed'))
      await everything.disposeAsync()
    },
  }
}

const secretOf = (partner: string): string => `KEY_${partner.replaceAll('-', '_').toUpperCase()}`
