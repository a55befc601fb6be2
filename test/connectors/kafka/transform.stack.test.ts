import type { Message, Producer } from 'kafkajs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { committedOffset } from '../../../connectors/kafka/offsets.ts'
import { RecordProducer } from '../../../connectors/kafka/record-producer.ts'
import { connectTransactional } from '../../../connectors/kafka/transactions.ts'
import { runTransform } from '../../../connectors/kafka/transform.ts'
import { silent, type TestKafka, testKafka, textOf, whenever } from '../../support/kafka.ts'

let shared: TestKafka
beforeAll(async () => {
  shared = await testKafka()
})
afterAll(() => shared[Symbol.asyncDispose]())

const numbered = (count: number): Message[] => Array.from({ length: count }, (_, index) => ({ value: `r${index}` }))

/** A transform that upper-cases; `seen` counts how often a record was transformed, committed or not. */
async function upperCase(
  name: string,
  options: { records: number; tries?: number; before?: (text: string) => Promise<void> },
) {
  const input = await shared.topic(`${name}.in`)
  const output = await shared.topic(`${name}.out`)
  const producer = new RecordProducer(shared.kafka)
  await producer.send(input, 0, numbered(options.records))
  const groupId = `${shared.prefix}.${name}`
  const seen: string[] = []
  const all = whenever(() => seen.length === options.records * (options.tries ?? 1))
  const running = await runTransform({
    kafka: shared.kafka,
    admin: shared.admin,
    groupId,
    input,
    transactionalIdOf: partition => `${groupId}.${partition}`,
    transform: async message => {
      await options.before?.(textOf(message))
      seen.push(textOf(message))
      all.look()
      return { topic: output, message: { key: null, value: textOf(message).toUpperCase() } }
    },
    log: silent,
    fatal: error => {
      throw error
    },
  })
  return { input, output, producer, groupId, seen, transformed: all.reached, running }
}

test('every record comes out once, in order, and the offset with it', async () => {
  const { input, output, groupId, transformed, running, producer } = await upperCase('plain', { records: 2_000 })
  await transformed
  await running.stop()
  expect(await shared.read(output)).toEqual(numbered(2_000).map(({ value }) => String(value).toUpperCase()))
  expect((await committedOffset(shared.admin, groupId, input, 0))?.offset).toBe(2_000)
  await producer.disconnect()
})

test('a transaction that fails is done again, and its first try is invisible (row 46)', async () => {
  let thief: Producer | undefined
  const { output, transformed, running, producer } = await upperCase('fails', {
    records: 50,
    tries: 2,
    before: async text => {
      const groupId = `${shared.prefix}.fails`
      if (text !== 'r30' || thief !== undefined) return
      thief = await connectTransactional(shared.kafka, `${groupId}.0`)
      await (await thief.transaction()).abort()
    },
  })
  await transformed
  await running.stop()
  expect(await shared.read(output)).toEqual(numbered(50).map(({ value }) => String(value).toUpperCase()))
  await Promise.all([producer.disconnect(), thief?.disconnect()])
})

test('a zombie that holds the partition’s transactional id is fenced before anything is read (row 49)', async () => {
  const groupId = `${shared.prefix}.zombie`
  const zombie = await connectTransactional(shared.kafka, `${groupId}.0`)
  const open = await zombie.transaction()
  const stolen = await shared.topic('zombie.elsewhere')
  await open.send({ topic: stolen, messages: [{ value: 'of the zombie' }] })

  const { output, transformed, running, producer } = await upperCase('zombie', { records: 10 })
  await transformed
  await running.stop()
  await expect(open.commit()).rejects.toThrow(/epoch|fenced|newer/i)
  expect(await shared.read(output)).toHaveLength(10)
  expect(await shared.read(stolen)).toEqual([])
  await Promise.all([producer.disconnect(), zombie.disconnect()])
})
