import type { Admin, PartitionMetadata } from 'kafkajs'
import { PredioError } from '../../schemas/errors.ts'
import { Partitioners } from './kafkajs.ts'

const partitioner = Partitioners.DefaultPartitioner()

/**
 * All of a partner's records of a topic lie in one partition, in order (design section 2). It is the one that any
 * Kafka client's default partitioner gives the key `partner` (murmur2), so stock tools agree.
 */
export function partitionOf(partner: string, partitions: number): number {
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    leader: 0,
  })) as PartitionMetadata[]
  return partitioner({ topic: '', partitionMetadata, message: { key: Buffer.from(partner), value: null } })
}

/** @throws TOPIC_MISSING naming the first topic that does not exist */
export async function partitionCounts(admin: Admin, topics: readonly string[]): Promise<Map<string, number>> {
  const existing = new Set(await admin.listTopics())
  const missing = topics.find(topic => !existing.has(topic))
  if (missing !== undefined) throw new PredioError('TOPIC_MISSING', { topic: missing })
  const metadata = await admin.fetchTopicMetadata({ topics: [...topics] })
  return new Map(metadata.topics.map(({ name, partitions }) => [name, partitions.length]))
}
