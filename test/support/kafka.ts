import { randomBytes } from 'node:crypto'
import type { Admin, Kafka, KafkaMessage } from 'kafkajs'
import pino from 'pino'
import { inject } from 'vitest'
import { connectKafka } from '../../connectors/kafka/client.ts'
import { readRecords } from '../../connectors/kafka/log-reader.ts'
import { endOffsets } from '../../connectors/kafka/offsets.ts'
import { createTopics } from '../../connectors/kafka/topics.ts'

export const silent = pino({ level: 'silent' })

/** A client of the shared broker, and names that nobody else uses. */
export interface TestKafka {
  readonly kafka: Kafka
  readonly admin: Admin
  readonly prefix: string
  topic(name: string, partitions?: number): Promise<string>
  /** Everything in a partition that a read_committed reader sees, as text. */
  read(topic: string, partition?: number): Promise<string[]>
  [Symbol.asyncDispose](): Promise<void>
}

export async function testKafka(): Promise<TestKafka> {
  const prefix = `t${randomBytes(5).toString('hex')}`
  const kafka = connectKafka({ brokers: [inject('stack').brokers] }, prefix, silent)
  const admin = kafka.admin()
  await admin.connect()
  return {
    kafka,
    admin,
    prefix,
    async topic(name, partitions = 1) {
      const topic = `${prefix}.${name}`
      await createTopics(admin, [{ topic, numPartitions: partitions, replicationFactor: 1 }])
      return topic
    },
    async read(topic, partition = 0) {
      const { high } = (await endOffsets(admin, topic)).get(partition)!
      return (await readRecords(kafka, prefix, { topic, partition }, 0, high)).map(textOf)
    },
    async [Symbol.asyncDispose]() {
      await admin.disconnect()
    },
  }
}

export const textOf = ({ value }: KafkaMessage): string => value?.toString() ?? ''

/** Resolves as soon as `done` says so; asks whenever it is told that something has happened. */
export function whenever(done: () => boolean): { readonly reached: Promise<void>; readonly look: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { reached: promise, look: () => void (done() && resolve()) }
}
