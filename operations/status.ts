import type { Logger } from 'pino'
import type { Environment } from '../connectors/environment.ts'
import { probeKafka } from '../connectors/kafka/client.ts'
import { committedOffsets, endOffsets } from '../connectors/kafka/offsets.ts'
import { partitionCounts, partitionOf } from '../connectors/kafka/partitions.ts'
import { readSinceCommit } from '../connectors/kafka/since-group.ts'
import type { Partner } from '../connectors/partners.ts'
import { namesOf, type TopicKey } from '../schemas/topology.ts'

/** Where one partner stands. Times are milliseconds since the Unix epoch. */
export interface PartnerStatus {
  readonly partner: string
  /** `new` before the first checkpoint, `late` when the last one is more than three intervals old. */
  readonly state: 'new' | 'current' | 'late'
  readonly since: number | null
  readonly lastCycle: number | null
  /** Records of the partner's partitions that the group has not committed yet; of all partners in those partitions. */
  readonly lag: { readonly validator: number; readonly catalog: number }
}

const LATE_INTERVALS = 3
const READ_BY = {
  validator: ['properties.raw'],
  catalog: ['listings.accepted', 'listings.draft', 'listings.rejected', 'deletions.raw'],
} as const satisfies Record<string, readonly TopicKey[]>

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
    const topics = Object.values(READ_BY).flat()
    const counts = await partitionCounts(admin, [
      ...topics.map(key => names.topic(key)),
      ...partners.map(({ id }) => names.cycles(id)),
    ])
    const lagIn = new Map<TopicKey, (partition: number) => number>()
    for (const [group, keys] of Object.entries(READ_BY) as ['validator' | 'catalog', readonly TopicKey[]][]) {
      for (const key of keys) {
        const [commits, ends] = await Promise.all([
          committedOffsets(admin, names.group(group), names.topic(key)),
          endOffsets(admin, names.topic(key)),
        ])
        lagIn.set(key, partition => {
          const { low, high } = ends.get(partition) ?? { low: 0, high: 0 }
          return Math.max(0, high - Math.max(low, commits.get(partition)?.offset ?? 0))
        })
      }
    }
    const lagOf = (partner: string, keys: readonly TopicKey[]): number =>
      keys.reduce((sum, key) => sum + lagIn.get(key)!(partitionOf(partner, counts.get(names.topic(key))!)), 0)
    return await Promise.all(
      partners.map(async ({ id, every }) => {
        const { metadata } = await readSinceCommit(admin, names, id)
        return {
          partner: id,
          state: stateOf(metadata?.cycle, every, nowMs),
          since: metadata?.since ?? null,
          lastCycle: metadata?.cycle ?? null,
          lag: { validator: lagOf(id, READ_BY.validator), catalog: lagOf(id, READ_BY.catalog) },
        }
      }),
    )
  } finally {
    await admin.disconnect()
  }
}

export function stateOf(lastCycle: number | undefined, everyMs: number, nowMs: number): PartnerStatus['state'] {
  if (lastCycle === undefined) return 'new'
  return nowMs - lastCycle > LATE_INTERVALS * everyMs ? 'late' : 'current'
}
