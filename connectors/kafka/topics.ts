import type { Admin, ITopicConfig } from 'kafkajs'
import { PredioError } from '../../schemas/errors.ts'
import { CYCLES_TOPIC, type Names, TOPICS, type TopicKey } from '../../schemas/topology.ts'

export interface TopicSettings {
  /** Partitions of every topic but the cycles topics. Fixed from day one: a partner's partition must not move. */
  readonly partitions: number
  readonly replicationFactor: number
}

/** Every topic that should exist, as the broker wants it told. */
export function wantedTopics(names: Names, partners: readonly string[], settings: TopicSettings): ITopicConfig[] {
  const { partitions, replicationFactor } = settings
  const shared = (Object.keys(TOPICS) as TopicKey[]).map(key => ({
    topic: names.topic(key),
    numPartitions: partitions,
    replicationFactor,
    configEntries: configOf(TOPICS[key].retentionMs),
  }))
  const cycles = partners.map(partner => ({
    topic: names.cycles(partner),
    numPartitions: CYCLES_TOPIC.partitions,
    replicationFactor,
    configEntries: configOf(CYCLES_TOPIC.retentionMs),
  }))
  return [...shared, ...cycles]
}

function configOf(retentionMs: number): { name: string; value: string }[] {
  return [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: String(retentionMs) },
    { name: 'message.timestamp.type', value: 'CreateTime' },
  ]
}

/** Creates what is missing and nothing else: existing topics belong to the operator. @returns the names created */
export async function createTopics(admin: Admin, topics: readonly ITopicConfig[]): Promise<string[]> {
  const missing = await missingTopics(admin, topics)
  if (missing.length === 0) return []
  try {
    await admin.createTopics({ topics: missing, waitForLeaders: true, timeout: 30_000 })
  } catch (cause) {
    throw new PredioError('TOPIC_MISSING', { topic: missing[0]!.topic }, { cause })
  }
  return missing.map(({ topic }) => topic)
}

export async function missingTopics(admin: Admin, topics: readonly ITopicConfig[]): Promise<ITopicConfig[]> {
  const existing = new Set(await admin.listTopics())
  return topics.filter(({ topic }) => !existing.has(topic))
}
