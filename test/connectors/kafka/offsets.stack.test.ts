import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOffsets } from '../../../connectors/kafka/offsets.ts'
import { connectTransactional } from '../../../connectors/kafka/transactions.ts'
import { type TestKafka, testKafka } from '../../support/kafka.ts'

let shared: TestKafka
beforeAll(async () => {
  shared = await testKafka()
})
afterAll(() => shared[Symbol.asyncDispose]())

test('the end of a topic counts what an open transaction wrote: a checkpoint that waits for it must not stop short', async () => {
  const topic = await shared.topic('open')
  const producer = await connectTransactional(shared.kafka, `${shared.prefix}.open`)
  try {
    const transaction = await producer.transaction()
    await transaction.send({ topic, acks: -1, messages: [{ value: 'a' }, { value: 'b' }] })
    expect((await endOffsets(shared.admin, topic)).get(0)).toEqual({ low: 0, high: 2 })
    await transaction.abort()
  } finally {
    await producer.disconnect()
  }
})
