import type { Admin, ITopicConfig } from 'kafkajs'
import pRetry from 'p-retry'
import { PredioError } from '../../schemas/errors.ts'
import { CYCLES_TOPIC, type Names, TOPICS, type TopicKey, type TopicSpec } from '../../schemas/topology.ts'

export interface TopicSettings {
  /** Partitions of every topic but the cycles topics. Fixed from day one: a partner's partition must not move. */
  readonly partitions: number
  readonly replicationFactor: number
}

interface ConfigEntry {
  readonly name: string
  readonly value: string
}

/** Every topic that should exist, as the broker wants it told. */
export function wantedTopics(names: Names, partners: readonly string[], settings: TopicSettings): ITopicConfig[] {
  const { partitions, replicationFactor } = settings
  const shared = (Object.entries(TOPICS) as [TopicKey, TopicSpec][]).map(([key, spec]) => ({
    topic: names.topic(key),
    numPartitions: partitions,
    replicationFactor,
    configEntries: configOf(spec),
  }))
  const cycles = partners.map(partner => ({
    topic: names.cycles(partner),
    numPartitions: CYCLES_TOPIC.partitions,
    replicationFactor,
    configEntries: configOf(CYCLES_TOPIC),
  }))
  return [...shared, ...cycles]
}

function configOf({ cleanup, retentionMs }: Pick<TopicSpec, 'cleanup' | 'retentionMs'>): ConfigEntry[] {
  return [
    { name: 'cleanup.policy', value: cleanup ?? 'delete' },
    { name: 'retention.ms', value: String(retentionMs) },
    { name: 'message.timestamp.type', value: 'CreateTime' },
  ]
}

/** Creates what is missing and nothing else: existing topics belong to the operator. @returns the names created */
export async function createTopics(admin: Admin, topics: readonly ITopicConfig[]): Promise<string[]> {
  const missing = await missingTopics(admin, topics)
  if (missing.length === 0) return []
  const names = missing.map(({ topic }) => topic)
  try {
    await admin.createTopics({ topics: missing, waitForLeaders: false, timeout: 30_000 })
    await untilKnown(admin, names)
  } catch (cause) {
    throw new PredioError('TOPIC_MISSING', { topic: missing[0]!.topic }, { cause })
  }
  return names
}

/**
 * The controller has the topics before the brokers have heard of them and chosen leaders. kafkajs's `waitForLeaders` waits
 * for the leaders alone and takes a topic that the broker does not know yet for a failure.
 */
async function untilKnown(admin: Admin, topics: string[]): Promise<void> {
  await pRetry(() => admin.fetchTopicMetadata({ topics }), {
    retries: 100,
    factor: 1.2,
    minTimeout: 20,
    maxTimeout: 300,
    shouldRetry: ({ error }) => NOT_YET.has((error as { type?: string }).type ?? ''),
  })
}

const NOT_YET = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'])

export async function missingTopics(admin: Admin, topics: readonly ITopicConfig[]): Promise<ITopicConfig[]> {
  const existing = new Set(await admin.listTopics())
  return topics.filter(({ topic }) => !existing.has(topic))
}
