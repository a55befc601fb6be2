import type { Logger } from 'pino'
import type { Environment } from '../connectors/environment.ts'
import { connectKafka, probeKafka } from '../connectors/kafka/client.ts'
import { headersOf } from '../connectors/kafka/headers.ts'
import { readRecords } from '../connectors/kafka/log-reader.ts'
import { partitionCounts, partitionOf } from '../connectors/kafka/partitions.ts'
import { RecordProducer } from '../connectors/kafka/record-producer.ts'
import { Schemas } from '../connectors/kafka/schema-registry.ts'
import type { PartnerCommand } from '../schemas/records/partner-command.ts'
import { namesOf } from '../schemas/topology.ts'

/** What an operator changes; what is left out stays as the last command had it. */
export type CommandChange = Partial<Pick<PartnerCommand, 'paused' | 'run_requested_at' | 'run_full'>>

/**
 * Writes what an operator wants of a partner to the compacted topic `partner-commands`. Whichever source owns the
 * partner reads it, now or after its next start.
 *
 * @returns the command that holds from now on
 */
export async function command(
  environment: Environment,
  partner: string,
  change: CommandChange,
  log: Logger,
): Promise<PartnerCommand> {
  const names = namesOf(environment.prefix)
  const topic = names.topic('partner-commands')
  const probe = await probeKafka(environment.kafka, 'commands', log)
  const counts = await partitionCounts(probe, [topic]).finally(() => probe.disconnect())
  const partition = partitionOf(partner, counts.get(topic)!)
  const kafka = connectKafka(environment.kafka, 'commands', log)
  const schemas = new Schemas(environment.registryUrl)
  const encode = await schemas.encoder('partner-command', topic)
  const last = await lastCommand(kafka, schemas, { topic, partition }, partner, names.group('source'))
  const changedAt = Date.now()
  const wanted: PartnerCommand = {
    paused: false,
    run_requested_at: null,
    run_full: false,
    ...last,
    ...change,
    partner,
    changed_at: changedAt,
  }
  const producer = new RecordProducer(kafka)
  try {
    const headers = headersOf({
      id: `${partner}/${changedAt}`,
      type: 'predio.partner.command',
      partner,
      timeMs: changedAt,
    })
    await producer.send(topic, partition, [{ key: partner, value: encode(wanted), headers }])
    return wanted
  } finally {
    await producer.disconnect()
  }
}

/** The topic is compacted, so reading all of a partition reads little more than one record for each partner. */
async function lastCommand(
  kafka: ReturnType<typeof connectKafka>,
  schemas: Schemas,
  place: { topic: string; partition: number },
  partner: string,
  groupPrefix: string,
): Promise<PartnerCommand | undefined> {
  const decode = schemas.decoder('partner-command')
  const records = await readRecords(kafka, groupPrefix, place, 0, Number.MAX_SAFE_INTEGER)
  const commands = await Promise.all(records.map(({ value }) => decode(value)))
  return commands.findLast(command => command.partner === partner)
}
