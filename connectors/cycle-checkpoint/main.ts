import { setTimeout as sleep } from 'node:timers/promises'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import type { Names } from '../../schemas/topology.ts'
import { connectAdmin, connectKafka, probeKafka } from '../kafka/client.ts'
import { CONSUMER_DEFAULTS, onFatal, sessionOf } from '../kafka/consumer.ts'
import { headersOf } from '../kafka/headers.ts'
import type { Admin } from '../kafka/kafkajs.ts'
import { readMarkers } from '../kafka/markers.ts'
import { committedOffsets, endOffsets } from '../kafka/offsets.ts'
import { partitionCounts } from '../kafka/partitions.ts'
import { RecordProducer } from '../kafka/record-producer.ts'
import { Schemas } from '../kafka/schema-registry.ts'
import { commitSince, readSinceCommit } from '../kafka/since-group.ts'
import type { StartRole } from '../role.ts'
import { type CheckpointFacts, notedEnd, type Progress } from './decision.ts'
import { type OpenCycle, OpenCycles } from './open-cycles.ts'
import { advanceCycles, type CheckpointPorts } from './stage.ts'

/** Pause between two looks: short while cycles move, longer while they wait for a stage that stands still. */
const SHORTEST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** What the validator makes of `properties.raw`, partition by partition. The catalog reads all three (A3). */
const LISTINGS = ['listings.accepted', 'listings.draft', 'listings.rejected'] as const

/** Closes polled cycles: all in the catalog -> marker -> `since`. */
export const startCheckpoint: StartRole = async ({ environment, names, partners, log, fatal }) => {
  const { kafka: settings, registryUrl, clientId, sessionTimeoutMs } = environment
  const kafka = connectKafka(settings, `checkpoint-${clientId}`, log)
  const reportsTopic = names.topic('cycle-reports')
  const probe = await probeKafka(settings, `checkpoint-${clientId}`, log)
  await partitionCounts(probe, [reportsTopic, ...partners.map(({ id }) => names.cycles(id))]).finally(() =>
    probe.disconnect(),
  )

  const schemas = new Schemas(registryUrl)
  const encodeReport = await schemas.encoder('cycle-report', reportsTopic)
  // Every marker topic has the same schema; the registry gives it the same id under each subject.
  const [first] = partners
  const encodeMarker = first === undefined ? undefined : await schemas.encoder('marker', names.cycles(first.id))
  const decode = schemas.decoder('cycle-report')
  const admin = await connectAdmin(kafka)
  const producer = new RecordProducer(kafka)
  const open = new OpenCycles(partners.map(({ id }) => id))
  const stopping = new AbortController()

  const ports: CheckpointPorts = {
    log,
    facts: cycles => readFacts(admin, names, cycles),
    listingsEnds: async ({ properties_partition: partition }) => {
      const ends = await Promise.all(LISTINGS.map(key => endOffsets(admin, names.topic(key))))
      return ends.map(byPartition => notedEnd(byPartition.get(partition) ?? { low: 0, high: 0 }))
    },
    findMarker: async ({ partner, cycle, base }) => {
      const { high } = await readSinceCommit(admin, names, partner)
      if (high <= Math.max(base, 0)) return undefined
      const markers = await readMarkers(kafka, schemas, names, partner, Math.max(base, 0), high)
      return markers.find(({ marker }) => marker.cycle === cycle)?.offset
    },
    appendMarker: async ({ partner, cycle, next_since: since, started_at: startedMs, properties, deletions }) => {
      const marker = { partner, cycle, since: since ?? startedMs, properties, deletions }
      const headers = headersOf({ id: `${partner}/${cycle}`, type: 'predio.cycle.marker', partner, timeMs: startedMs })
      const message = { key: partner, value: encodeMarker!(marker), timestamp: String(marker.since), headers }
      return (await producer.send(names.cycles(partner), 0, [message])).baseOffset
    },
    commitSince: ({ report: { partner, cycle, next_since: since, started_at: startedMs }, partition }, offset) => {
      const transactionalId = names.transactionalId('checkpoint', partition)
      return commitSince({ kafka, admin, names, transactionalId }, partner, offset, {
        cycle,
        since: since ?? startedMs,
      })
    },
    closeReport: async ({ report, partition }, outcome) => {
      const { partner, cycle } = report
      const closing: CycleReport = { ...report, outcome, ended_at: Date.now() }
      const headers = headersOf({
        id: `${partner}/${cycle}/${outcome}`,
        type: `predio.cycle.${outcome}`,
        partner,
        timeMs: closing.ended_at,
      })
      await producer.send(reportsTopic, partition, [{ key: partner, value: encodeReport(closing), headers }])
    },
  }

  const consumer = kafka.consumer({
    groupId: names.group('checkpoint'),
    ...CONSUMER_DEFAULTS,
    ...sessionOf(sessionTimeoutMs),
  })
  onFatal(consumer, fatal)
  let wake = (): void => {}
  stopping.signal.addEventListener('abort', () => wake())
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => open.keepOnly(payload.memberAssignment[reportsTopic] ?? []))
  await consumer.connect()
  await consumer.subscribe({ topics: [reportsTopic], fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message }) => {
      const report = await readReport(message.value)
      open.read(partition, Number(message.offset), report)
      wake()
    },
  })

  async function readReport(value: Buffer | null): Promise<CycleReport | undefined> {
    try {
      return await decode(value)
    } catch (error) {
      log.warn({ event: 'report_unreadable', error: (error as Error).message })
      return undefined
    }
  }

  async function commitReports(): Promise<void> {
    const commits = open.takeCommits()
    if (commits.length === 0) return
    await consumer.commitOffsets(
      commits.map(({ partition, offset }) => ({ topic: reportsTopic, partition, offset: String(offset) })),
    )
  }

  const loop = (async () => {
    let pauseMs = SHORTEST_PAUSE_MS
    while (!stopping.signal.aborted) {
      // Listens before it looks: a report that comes meanwhile must not wait for the next one.
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = () => {
        pauseMs = SHORTEST_PAUSE_MS
        resolve()
      }
      try {
        const moved = open.all.length > 0 && (await advanceCycles(open, ports))
        await commitReports()
        pauseMs = moved ? SHORTEST_PAUSE_MS : Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ event: 'checkpoint_stalled', error: (error as Error).message })
        pauseMs = LONGEST_PAUSE_MS
      }
      const waits = open.all.length > 0 ? [sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})] : []
      await Promise.race([promise, ...waits])
    }
  })()

  log.info({ event: 'checkpoint_started' })
  return {
    async stop() {
      stopping.abort()
      await loop
      await consumer.disconnect()
      await producer.disconnect()
      await admin.disconnect()
    },
  }
}

/** Asks Kafka once for all cycles: the offsets of both groups and the ends of their topics. */
async function readFacts(
  admin: Admin,
  names: Names,
  cycles: readonly OpenCycle[],
): Promise<Map<OpenCycle, CheckpointFacts>> {
  const rawProperties = names.topic('properties.raw')
  const rawDeletions = names.topic('deletions.raw')
  const [validator, deletions, ...applied] = await Promise.all([
    progressOf(admin, names.group('validator'), rawProperties),
    progressOf(admin, names.group('catalog'), rawDeletions),
    ...LISTINGS.map(key => progressOf(admin, names.group('catalog'), names.topic(key))),
  ])
  const partners = [...new Set(cycles.map(({ report }) => report.partner))]
  const currents = new Map(
    await Promise.all(
      partners.map(async partner => [partner, (await readSinceCommit(admin, names, partner)).offset] as const),
    ),
  )
  return new Map(
    cycles.map(cycle => {
      const { partner, properties_partition: properties, deletions_partition: deleted } = cycle.report
      return [
        cycle,
        {
          validator: validator(properties),
          catalogDeletions: deletions(deleted),
          catalogListings: applied.map(progress => progress(properties)),
          current: currents.get(partner)!,
        },
      ]
    }),
  )
}

async function progressOf(admin: Admin, groupId: string, topic: string): Promise<(partition: number) => Progress> {
  // Ends first: a commit read later can only make a group look further than these ends, never short of them.
  const ends = await endOffsets(admin, topic)
  const commits = await committedOffsets(admin, groupId, topic)
  return partition => ({ committed: commits.get(partition)?.offset, ...(ends.get(partition) ?? { low: 0, high: 0 }) })
}
