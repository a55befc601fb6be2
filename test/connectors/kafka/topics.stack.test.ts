import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connectAdmin, connectKafka } from '../../../connectors/kafka/client.ts'
import { createTopics, missingTopics } from '../../../connectors/kafka/topics.ts'

const brokers = [inject('stack').brokers]

test('many topics at once: all are there when it says so', async () => {
  const kafka = connectKafka({ brokers }, 'test', pino({ level: 'silent' }))
  const admin = await connectAdmin(kafka)
  onTestFinished(() => admin.disconnect())
  const prefix = `t-${randomUUID().slice(0, 8)}`
  const wanted = Array.from({ length: 60 }, (_, number) => ({ topic: `${prefix}.${number}`, numPartitions: 10 }))
  const topics = wanted.map(({ topic }) => topic)
  onTestFinished(() => admin.deleteTopics({ topics }))

  expect(await createTopics(admin, wanted)).toEqual(topics)
  const metadata = await admin.fetchTopicMetadata({ topics })
  expect(metadata.topics.filter(({ partitions }) => partitions.length === 10)).toHaveLength(60)
  expect(await missingTopics(admin, wanted)).toEqual([])
  expect(await createTopics(admin, wanted)).toEqual([])
})
