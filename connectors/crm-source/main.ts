import Bottleneck from 'bottleneck'
import { PredioError } from '../../schemas/errors.ts'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
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
import { CommandBoard } from './command-board.ts'
import { CycleBook } from './cycle-book.ts'
import { joinOwnership } from './ownership.ts'
import { partnerClients } from './partner-client.ts'
import { pageSender } from './records.ts'
import { type PartnerPorts, pollPartner } from './stage.ts'

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
  const clients = partnerClients(partners, { variables, clock: systemClock, log })
  const admin = await connectAdmin(kafka)
  const producer = new RecordProducer(kafka)
  const places = new Bottleneck({ maxConcurrent: sourceConcurrency })
  const book = new CycleBook(partners.map(({ id }) => id))
  const board = new CommandBoard()
  const reports = { topic: names.topic('cycle-reports'), decode: schemas.decoder('cycle-report'), book }
  const commands = { topic: names.topic('partner-commands'), decode: schemas.decoder('partner-command'), board }
  const partitions = counts.get(reports.topic)!
  if (counts.get(commands.topic) !== partitions) {
    throw new PredioError('TOPIC_MISFIT', {
      topic: commands.topic,
      partitions: counts.get(commands.topic),
      needed: partitions,
    })
  }

  const sendReport = async (report: CycleReport, partition: number): Promise<void> => {
    const { partner, cycle, outcome, ended_at: timeMs } = report
    const headers = headersOf({
      id: `${partner}/${cycle}/${outcome}`,
      type: `predio.cycle.${outcome}`,
      partner,
      timeMs,
    })
    await producer.send(reports.topic, partition, [{ key: partner, value: encodeReport(report), headers }])
  }
  const poll = (partner: Partner, partition: number, signal: AbortSignal): Promise<void> => {
    const ports: PartnerPorts = {
      client: clients.get(partner.id)!,
      sender: pageSender(partner.id, { producer, names, counts, encodeProperty, encodeDeletion }),
      clock: systemClock,
      log,
      book,
      board,
      readSince: id => readSinceCommit(admin, names, id),
      readMarker: async (id, offset) => (await readMarkers(kafka, schemas, names, id, offset, offset + 1))[0]?.marker,
      commitAgain: (id, offset, marker) => {
        const transactionalId = names.transactionalId('source', partition)
        return commitSince({ kafka, admin, names, transactionalId }, id, offset, marker)
      },
      sendReport: report => sendReport(report, partition),
      inTurn: run => places.schedule(run),
    }
    return pollPartner(partner, ports, signal)
  }

  const groupId = names.group('source')
  const ownership = await joinOwnership({
    kafka,
    admin,
    groupId,
    sessionTimeoutMs,
    reports,
    commands,
    partitions,
    partners,
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
  const shared = (['properties.raw', 'deletions.raw', 'cycle-reports', 'partner-commands', 'dead-letter'] as const).map(
    key => names.topic(key),
  )
  return [...shared, ...partners.map(({ id }) => names.cycles(id))]
}
