import Bottleneck from 'bottleneck'
import type { Kafka } from 'kafkajs'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import type { Marker } from '../../schemas/records/marker.ts'
import type { Names } from '../../schemas/topology.ts'
import { connectAdmin, connectKafka, probeKafka } from '../kafka/client.ts'
import { headersOf } from '../kafka/headers.ts'
import { readMarkers } from '../kafka/markers.ts'
import { partitionCounts } from '../kafka/partitions.ts'
import { RecordProducer } from '../kafka/record-producer.ts'
import { Schemas } from '../kafka/schema-registry.ts'
import { commitSince, readSinceCommit } from '../kafka/since-group.ts'
import type { Partner } from '../partners.ts'
import type { StartRole } from '../role.ts'
import { systemClock } from './clock.ts'
import { openReports } from './open-reports.ts'
import { joinOwnership } from './ownership.ts'
import { partnerClient } from './partner-client.ts'
import { pageSender } from './records.ts'
import { pollPartner } from './stage.ts'

/** Polls every partner that this instance owns, until it is stopped. */
export const startSource: StartRole = async ({ environment, names, partners, variables, log, fatal }) => {
  const { kafka: settings, registryUrl, sourceConcurrency, clientId, sessionTimeoutMs } = environment
  const kafka = connectKafka(settings, `source-${clientId}`, log)
  const probe = await probeKafka(settings, `source-${clientId}`, log)
  const counts = await partitionCounts(probe, topicsOf(names, partners)).finally(() => probe.disconnect())

  const schemas = new Schemas(registryUrl)
  const [encodeProperty, encodeDeletion, encodeReport] = await Promise.all([
    schemas.encoder('raw-property', names.topic('properties.raw')),
    schemas.encoder('deletion', names.topic('deletions.raw')),
    schemas.encoder('cycle-report', names.topic('cycle-reports')),
  ])
  const clients = new Map(partners.map(partner => [partner.id, partnerClient(partner, variables, systemClock, log)]))
  const admin = await connectAdmin(kafka)
  const producer = new RecordProducer(kafka)
  const places = new Bottleneck({ maxConcurrent: sourceConcurrency })
  const reports = openReports()

  const poll = (partner: Partner, partition: number, signal: AbortSignal): Promise<void> =>
    pollPartner(
      partner,
      {
        client: clients.get(partner.id)!,
        sender: pageSender(partner.id, { producer, names, counts, encodeProperty, encodeDeletion }),
        clock: systemClock,
        log,
        readSince: id => readSinceCommit(admin, names, id),
        readMarker: (id, offset) => markerAt(kafka, schemas, names, id, offset),
        recommit: (id, offset) => recommit(kafka, schemas, names, id, offset, partition),
        sendReport: async report => {
          const { partner: id, cycle, outcome, ended_at: timeMs } = report
          const headers = headersOf({
            id: `${id}/${cycle}/${outcome}`,
            type: `predio.cycle.${outcome}`,
            partner: id,
            timeMs,
          })
          await producer.send(names.topic('cycle-reports'), partition, [
            { key: id, value: encodeReport(report), headers },
          ])
        },
        closed: reports.closed,
        inTurn: run => places.schedule(run),
      },
      signal,
    )

  const ownership = await joinOwnership({
    kafka,
    groupId: names.group('source'),
    sessionTimeoutMs,
    topic: names.topic('cycle-reports'),
    partitions: counts.get(names.topic('cycle-reports')) ?? 1,
    partners,
    decode: schemas.decoder('cycle-report'),
    onReport: (report: CycleReport) => reports.note(report),
    poll,
    log,
    fatal,
  })
  log.info({ event: 'source_started', partners: partners.length })
  return {
    async stop() {
      await ownership.stop()
      await Promise.all([...clients.values()].map(client => client.close()))
      await producer.disconnect()
      await admin.disconnect()
    },
  }
}

function topicsOf(names: Names, partners: readonly Partner[]): string[] {
  const shared = (['properties.raw', 'deletions.raw', 'cycle-reports', 'dead-letter'] as const).map(key =>
    names.topic(key),
  )
  return [...shared, ...partners.map(({ id }) => names.cycles(id))]
}

async function markerAt(
  kafka: Kafka,
  schemas: Schemas,
  names: Names,
  partner: string,
  offset: number,
): Promise<Marker | undefined> {
  const [placed] = await readMarkers(kafka, schemas, names, partner, offset, offset + 1)
  return placed?.marker
}

/** Commits behind the last marker again, with what it says (design section 3.2). */
async function recommit(
  kafka: Kafka,
  schemas: Schemas,
  names: Names,
  partner: string,
  offset: number,
  partition: number,
): Promise<void> {
  const marker = offset === 0 ? undefined : await markerAt(kafka, schemas, names, partner, offset - 1)
  await commitSince(kafka, names.transactionalId('source', partition), names, partner, offset, marker ?? null)
}
