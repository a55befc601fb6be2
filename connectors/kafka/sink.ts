import type { EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs'
import { CONSUMER_DEFAULTS, onFatal, sessionOf } from './consumer.ts'

export interface SinkBatch {
  readonly topic: string
  readonly partition: number
  readonly messages: readonly KafkaMessage[]
  /** To be called in long waits, so that the group does not think us dead. Rejects when the group rebalances: let it through. */
  readonly heartbeat: () => Promise<void>
  /** False once the sink is stopping or the partition was moved: then give up waiting and throw. */
  readonly isWanted: () => boolean
}

export interface SinkOptions {
  readonly kafka: Kafka
  readonly groupId: string
  readonly sessionTimeoutMs?: number | undefined
  readonly topics: readonly string[]
  /** Most records handed over at once. */
  readonly batchRecords: number
  /** Offsets are committed after this resolves, so it may see records again but never miss one. A rejection is retried, then fatal. */
  readonly write: (batch: SinkBatch) => Promise<void>
  readonly fatal: (error: Error) => void
}

/** Reads topics into something outside Kafka, at least once. */
export async function runSink({
  kafka,
  groupId,
  sessionTimeoutMs,
  topics,
  batchRecords,
  write,
  fatal,
}: SinkOptions): Promise<{ stop(): Promise<void> }> {
  const consumer = kafka.consumer({ groupId, ...CONSUMER_DEFAULTS, ...sessionOf(sessionTimeoutMs) })
  onFatal(consumer, fatal)

  const eachBatch = async ({
    batch,
    heartbeat,
    resolveOffset,
    isRunning,
    isStale,
  }: EachBatchPayload): Promise<void> => {
    const isWanted = (): boolean => isRunning() && !isStale()
    for (let from = 0; from < batch.messages.length; from += batchRecords) {
      if (!isWanted()) return
      const messages = batch.messages.slice(from, from + batchRecords)
      await write({ topic: batch.topic, partition: batch.partition, messages, heartbeat, isWanted })
      resolveOffset(messages.at(-1)!.offset) // the last one also resolves control records behind it
      await heartbeat()
    }
  }

  await consumer.connect()
  await consumer.subscribe({ topics: [...topics], fromBeginning: true })
  await consumer.run({
    eachBatch,
    eachBatchAutoResolve: false,
    // With a threshold of 1, fetches of nothing but control records are committed too: the checkpoint waits for that.
    autoCommit: true,
    autoCommitThreshold: 1,
    partitionsConsumedConcurrently: 2,
  })
  return { stop: () => consumer.disconnect() }
}
