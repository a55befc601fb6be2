import type { Logger } from 'pino'
import type { Environment } from '../connectors/environment.ts'
import { connectKafka, probeKafka } from '../connectors/kafka/client.ts'
import type { Admin, KafkaClient } from '../connectors/kafka/kafkajs.ts'
import { readRecords } from '../connectors/kafka/log-reader.ts'
import { committedOffsets, endOffsets } from '../connectors/kafka/offsets.ts'
import { partitionCounts, partitionOf } from '../connectors/kafka/partitions.ts'
import { type Decode, Schemas } from '../connectors/kafka/schema-registry.ts'
import { readSinceCommit } from '../connectors/kafka/since-group.ts'
import type { Partner } from '../connectors/partners.ts'
import type { RecordOf } from '../schemas/avro.ts'
import { type Names, namesOf, type TopicKey } from '../schemas/topology.ts'
import { failureOf, type PartnerState, partnerState } from './partner-state.ts'

/** Where one partner stands. Times are milliseconds since the Unix epoch. */
export interface PartnerStatus {
  readonly partner: string
  readonly state: PartnerState
  readonly since: number | null
  readonly lastCycle: number | null
  /** Why the last cycle failed; null where it did not. */
  readonly failure: string | null
  /** Records of the partner's partitions that the group has not committed yet; of all partners in those partitions. */
  readonly lag: { readonly validator: number; readonly catalog: number }
}

const READ_BY = {
  validator: ['properties.raw'],
  catalog: ['listings.accepted', 'listings.draft', 'listings.rejected', 'deletions.raw'],
} as const satisfies Record<string, readonly TopicKey[]>

/** Reports of a partition that are looked at: the last few cycles of some dozens of partners. */
const LAST_REPORTS = 500

/** Reads everything from Kafka itself, so it is right whoever runs the roles, and also when nobody does. */
export async function readStatus(
  environment: Environment,
  partners: readonly Partner[],
  log: Logger,
  nowMs: number,
): Promise<PartnerStatus[]> {
  const names = namesOf(environment.prefix)
  const admin = await probeKafka(environment.kafka, 'status', log)
  try {
    const keys = [...Object.values(READ_BY).flat(), 'cycle-reports', 'partner-commands'] as const
    const counts = await partitionCounts(admin, [
      ...keys.map(key => names.topic(key)),
      ...partners.map(({ id }) => names.cycles(id)),
    ])
    const home = (partner: string, key: TopicKey): number => partitionOf(partner, counts.get(names.topic(key))!)
    const kafka = connectKafka(environment.kafka, 'status', log)
    const schemas = new Schemas(environment.registryUrl)
    const partitions = new Set(partners.map(({ id }) => home(id, 'cycle-reports')))
    const [reports, commands, validatorLag, catalogLag] = await Promise.all([
      lastRecords(kafka, admin, names, 'cycle-reports', partitions, LAST_REPORTS, schemas.decoder('cycle-report')),
      lastRecords(
        kafka,
        admin,
        names,
        'partner-commands',
        partitions,
        Number.MAX_SAFE_INTEGER,
        schemas.decoder('partner-command'),
      ),
      lagOf(admin, names, 'validator'),
      lagOf(admin, names, 'catalog'),
    ])
    return await Promise.all(
      partners.map(async ({ id, every }) => {
        const { metadata } = await readSinceCommit(admin, names, id)
        const mine = reports.filter(({ partner }) => partner === id)
        const isPaused = commands.findLast(({ partner }) => partner === id)?.paused ?? false
        return {
          partner: id,
          state: partnerState({ isPaused, reports: mine, lastCycle: metadata?.cycle, everyMs: every }, nowMs),
          since: metadata?.since ?? null,
          lastCycle: metadata?.cycle ?? null,
          failure: failureOf(mine),
          lag: { validator: validatorLag(key => home(id, key)), catalog: catalogLag(key => home(id, key)) },
        }
      }),
    )
  } finally {
    await admin.disconnect()
  }
}

/** The last records of some partitions of a topic, decoded; what cannot be read is left out. */
async function lastRecords<Name extends 'cycle-report' | 'partner-command'>(
  kafka: KafkaClient,
  admin: Admin,
  names: Names,
  key: TopicKey,
  partitions: ReadonlySet<number>,
  most: number,
  decode: Decode<Name>,
): Promise<RecordOf[Name][]> {
  const topic = names.topic(key)
  const ends = await endOffsets(admin, topic)
  const read = await Promise.all(
    [...partitions].map(async partition => {
      const { high } = ends.get(partition) ?? { high: 0 }
      return readRecords(kafka, names.group('source'), { topic, partition }, Math.max(0, high - most), high)
    }),
  )
  const decoded = await Promise.allSettled(read.flat().map(async ({ value }): Promise<RecordOf[Name]> => decode(value)))
  return decoded.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}

type Lag = (partitionIn: (key: TopicKey) => number) => number

async function lagOf(admin: Admin, names: Names, group: keyof typeof READ_BY): Promise<Lag> {
  const behind = await Promise.all(
    READ_BY[group].map(async (key: TopicKey) => {
      const topic = names.topic(key)
      const [commits, ends] = await Promise.all([
        committedOffsets(admin, names.group(group), topic),
        endOffsets(admin, topic),
      ])
      return (partition: number): number => {
        const { low, high } = ends.get(partition) ?? { low: 0, high: 0 }
        return Math.max(0, high - Math.max(low, commits.get(partition)?.offset ?? 0))
      }
    }),
  )
  return partitionIn => READ_BY[group].reduce((sum, key, index) => sum + behind[index]!(partitionIn(key)), 0)
}
