import { afterAll, beforeAll, expect, test } from 'vitest'
import { committedOffset, endOffsets } from '../../../connectors/kafka/offsets.ts'
import { RecordProducer } from '../../../connectors/kafka/record-producer.ts'
import { runSink, type SinkBatch } from '../../../connectors/kafka/sink.ts'
import { withTransaction } from '../../../connectors/kafka/transactions.ts'
import { type TestKafka, testKafka, textOf, whenever } from '../../support/kafka.ts'

let shared: TestKafka
beforeAll(async () => {
  shared = await testKafka()
})
afterAll(() => shared[Symbol.asyncDispose]())

const fatal = (error: Error): void => {
  throw error
}

test('what write has resolved for is committed, records that failed come again', async () => {
  const topic = await shared.topic('again')
  const producer = new RecordProducer(shared.kafka)
  await producer.send(topic, 0, [{ value: 'a' }, { value: 'b' }, { value: 'c' }])
  const batches: string[][] = []
  const all = whenever(() => batches.flat().filter(text => text === 'c').length === 2)
  const groupId = `${shared.prefix}.again`
  const sink = await runSink({
    kafka: shared.kafka,
    groupId,
    topics: [topic],
    batchRecords: 2,
    fatal,
    write: async ({ messages }: SinkBatch) => {
      batches.push(messages.map(textOf))
      all.look()
      if (batches.length === 2) throw new Error('the database is away')
    },
  })
  await all.reached
  await sink.stop()
  expect(batches).toEqual([['a', 'b'], ['c'], ['c']])
  expect((await committedOffset(shared.admin, groupId, topic, 0))?.offset).toBe(3)
  await producer.disconnect()
})

test('control and aborted records at the end are committed past, so a checkpoint that waits for the end is not stuck', async () => {
  const topic = await shared.topic('control')
  const id = `${shared.prefix}.control`
  await withTransaction(
    shared.kafka,
    id,
    async transaction => void (await transaction.send({ topic, messages: [{ value: 'kept' }] })),
  )
  const aborted = withTransaction(shared.kafka, id, async transaction => {
    await transaction.send({ topic, messages: [{ value: 'aborted' }] })
    throw new Error('changed our mind')
  })
  await expect(aborted).rejects.toThrow('changed our mind')
  // The coordinator answers before it has written the ends of the transactions: two records and two control records.
  const high = 4
  await expect.poll(async () => (await endOffsets(shared.admin, topic)).get(0)?.high, { timeout: 20_000 }).toBe(high)

  const written: string[] = []
  const sink = await runSink({
    kafka: shared.kafka,
    groupId: id,
    topics: [topic],
    batchRecords: 100,
    fatal,
    write: async ({ messages }: SinkBatch) => void written.push(...messages.map(textOf)),
  })
  await expect
    .poll(async () => (await committedOffset(shared.admin, id, topic, 0))?.offset, { timeout: 20_000 })
    .toBe(high)
  await sink.stop()
  expect(written).toEqual(['kept'])
})
