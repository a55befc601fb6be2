import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { inject } from 'vitest'
import { createPool } from '../../connectors/catalog-sink/pool.ts'
import { createCatalogStore, type Tally } from '../../connectors/catalog-sink/store.ts'
import { readEnvironment } from '../../connectors/environment.ts'
import { connectAdmin, connectKafka } from '../../connectors/kafka/client.ts'
import { Schemas } from '../../connectors/kafka/schema-registry.ts'
import { readPartners } from '../../connectors/partners.ts'
import { type RoleProcess, startRoleProcess } from '../../operations/role-process.ts'
import { ROLE_NAMES, type RoleName } from '../../operations/roles.ts'
import { setup } from '../../operations/setup.ts'
import { namesOf } from '../../schemas/topology.ts'
import { freshDatabase } from './database.ts'
import type { FailPoint } from './fail-point.ts'
import { type PartnerOptions, startPartner, type TestPartner } from './partner.ts'
import { type LoggedEvent, RoleLog } from './role-log.ts'
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

/** A checkpointed cycle. Times are milliseconds since the Unix epoch. */
export interface CheckpointedCycle {
  readonly cycle: number
  /** What the partner was asked for; null for all it has. */
  readonly asked: number | null
  /** What the next cycle asks from. */
  readonly since: number
  readonly pages: number
  readonly properties: number
  readonly deletions: number
  readonly tally: Tally
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
const FAIL_POINTS = new URL('fail-point.ts', import.meta.url).href

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

  const processes = new Set<RoleProcess>()
  const newest = new Map<RoleName, RoleProcess>()
  undo.defer(async () => {
    for (const { kill } of processes) kill('SIGCONT')
    await Promise.all([...processes].map(process => process.stop()))
  })

  /** Resolves when the role is at work. With a fail point, its end is no failure. */
  async function start(role: RoleName, failPoint?: FailPoint): Promise<RoleProcess> {
    const armed = failPoint && { NODE_OPTIONS: `--import=${FAIL_POINTS}`, FAIL_POINT: JSON.stringify(failPoint) }
    const child = startRoleProcess(role, { ...env, ...armed }, event => log.add({ ...event, role, pid: child.pid }))
    processes.add(child)
    newest.set(role, child)
    child.exited.then(how => {
      const unexpected = processes.delete(child) && failPoint === undefined
      if (unexpected) log.fail(new Error(`${role} ended with ${how} though nobody stopped it${log.tail()}`))
    })
    await log.find(`start of ${role}`, ({ event, pid }) => event === `${role}_started` && pid === child.pid)
    return child
  }

  /** SIGKILL; resolves when the process is gone. */
  async function kill(role: RoleName): Promise<void> {
    const child = newest.get(role)!
    processes.delete(child)
    child.kill('SIGKILL')
    await child.exited
  }

  /** As an orchestrator stops it. @returns its exit code */
  async function stop(role: RoleName): Promise<number | NodeJS.Signals> {
    const child = newest.get(role)!
    processes.delete(child)
    await child.stop()
    return child.exited
  }

  const named = (name: string, partner: string, test: (event: LoggedEvent) => boolean = () => true) =>
    [
      `${name} of ${partner}`,
      (event: LoggedEvent) => event.event === name && event.partner === partner && test(event),
    ] as const

  /** The next event of that name about the partner. */
  const next = (name: string, partner: string, test?: (event: LoggedEvent) => boolean) =>
    log.next(...named(name, partner, test))

  /** Past and present events of that name about the partner. */
  const events = (name: string, partner: string) => log.events.filter(named(name, partner)[1])

  /** Stops the partner's next cycle at its first request. Takes the place of the partner's fault script. */
  async function hold(id: string): Promise<{ release(): void }> {
    const partner = partners.get(id)!
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const run = () => {
      partner.fault(undefined)
      reach()
      return released
    }
    partner.fault(({ feed }) => (feed === 'deletions' ? { kind: 'before', run } : undefined))
    await reached
    return { release }
  }

  /**
   * Changes the partner as its next cycle begins, so that this cycle and none before knows of the change. The change may
   * set a fault script.
   */
  async function cycleWith(id: string, change: (partner: TestPartner) => void): Promise<CheckpointedCycle> {
    const partner = partners.get(id)!
    const held = await hold(id)
    const before = partner.requests.filter(({ feed }) => feed === 'deletions').at(-2)?.atMs ?? 0
    change(partner)
    held.release()
    return summary(id, await checkpointAfter(id, before))
  }

  /** The first cycle that begins after this call and is checkpointed, or the nth: it knows of all that the partner has now. */
  async function cycle(partner: string, nth = 1): Promise<CheckpointedCycle> {
    let after = Date.now() - 1
    for (let count = 1; count < nth; count++) after = (await checkpointAfter(partner, after)).cycle as number
    return summary(partner, await checkpointAfter(partner, after))
  }

  /** The first checkpointed cycle after one that failed, or without such a one the very first. */
  const cycleAfter = async (partner: string, failed = 0) => summary(partner, await checkpointAfter(partner, failed))

  /** Cycle ids are instants, so an instant serves as well as a cycle. */
  const checkpointAfter = (partner: string, after: number) =>
    log.find(...named('cycle_checkpointed', partner, ({ cycle }) => (cycle as number) > after))

  async function summary(partner: string, closed: LoggedEvent): Promise<CheckpointedCycle> {
    const { cycle, since } = closed as unknown as { cycle: number; since: number }
    const about = (name: string) => log.find(...named(name, partner, event => event.cycle === cycle))
    const [started, polled] = await Promise.all([about('cycle_started'), about('cycle_polled')])
    const { pages, properties, deletions } = polled as unknown as CheckpointedCycle
    return {
      cycle,
      asked: started.since as number | null,
      since,
      pages,
      properties,
      deletions,
      tally: await store.tally(partner, cycle),
    }
  }

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
  await Promise.all(roles.filter(role => role !== 'source').map(role => start(role)))
  if (roles.includes('source')) await start('source')
  const everything = undo.move()
  return {
    ...{
      names,
      log,
      view,
      start,
      kill,
      stop,
      next,
      events,
      cycle,
      hold,
      cycleWith,
      cycleAfter,
      catalog,
      tally: store.tally,
    },
    partner: (id: string): TestPartner => partners.get(id)!,
    /** Ends and removes everything; what still waits for an event is told so. */
    async close(): Promise<void> {
      log.fail(new Error('the pipeline was closed'))
      await everything.disposeAsync()
    },
  }
}

const secretOf = (partner: string): string => `KEY_${partner.replaceAll('-', '_').toUpperCase()}`
