import { randomUUID } from 'node:crypto'
import type { Kafka, KafkaMessage } from 'kafkajs'
import { CONSUMER_DEFAULTS } from './consumer.ts'
import { endOffsets } from './offsets.ts'

/**
 * Reads `[from, to)` of one partition. kafkajs cannot assign partitions by hand, so this is a consumer with a
 * throw-away group that seeks and leaves; the group is deleted behind it. For the few records that are read out of turn.
 *
 * @param to exclusive; clamped to the end, so it returns what is there
 */
export async function readRecords(
  kafka: Kafka,
  groupPrefix: string,
  place: { readonly topic: string; readonly partition: number },
  from: number,
  to: number,
): Promise<KafkaMessage[]> {
  const { topic, partition } = place
  const admin = kafka.admin()
  await admin.connect()
  try {
    const { low, high } = (await endOffsets(admin, topic)).get(partition) ?? { low: 0, high: 0 }
    const start = Math.max(from, low)
    const end = Math.min(to, high)
    if (start >= end) return []
    const groupId = `${groupPrefix}.read.${randomUUID()}`
    const read = await readByGroup(kafka, groupId, place, start, end)
    await admin.deleteGroups([groupId]).catch(() => {})
    return read
  } finally {
    await admin.disconnect()
  }
}

async function readByGroup(
  kafka: Kafka,
  groupId: string,
  { topic, partition }: { topic: string; partition: number },
  start: number,
  end: number,
): Promise<KafkaMessage[]> {
  const consumer = kafka.consumer({ groupId, ...CONSUMER_DEFAULTS, maxWaitTimeInMs: 100 })
  const read: KafkaMessage[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
  // Reported also for fetches of nothing but control records, which eachBatch never sees.
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    if (payload.partition === partition && Number(payload.lastOffset) + 1 >= end) resolve()
  })
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        if (batch.partition !== partition) return
        read.push(...batch.messages.filter(({ offset }) => Number(offset) >= start && Number(offset) < end))
      },
    })
    consumer.seek({ topic, partition, offset: String(start) })
    await promise
  } finally {
    await consumer.disconnect()
  }
  const seen = new Set<string>()
  return read.filter(({ offset }) => !seen.has(offset) && seen.add(offset))
}
