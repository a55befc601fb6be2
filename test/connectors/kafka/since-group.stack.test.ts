import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readRecords } from '../../../connectors/kafka/log-reader.ts'
import { RecordProducer } from '../../../connectors/kafka/record-producer.ts'
import { commitSince, readSinceCommit } from '../../../connectors/kafka/since-group.ts'
import { runKafkaTool } from '../../../operations/stack/kafka-tools.ts'
import { NO_BASE } from '../../../schemas/records/cycle-report.ts'
import { namesOf } from '../../../schemas/topology.ts'
import { type TestKafka, testKafka, textOf } from '../../support/kafka.ts'

let shared: TestKafka
let producer: RecordProducer
beforeAll(async () => {
  shared = await testKafka()
  producer = new RecordProducer(shared.kafka)
})
afterAll(async () => {
  await producer.disconnect()
  await shared[Symbol.asyncDispose]()
})

/** Markers stand in for cycles 1, 2, 3, ...; what they say does not matter here. */
async function partnerWith(partner: string, markers: number) {
  const names = namesOf(shared.prefix)
  await shared.topic(`cycles.${partner}`)
  for (let cycle = 1; cycle <= markers; cycle++) {
    await producer.send(names.cycles(partner), 0, [{ value: `cycle ${cycle}`, timestamp: String(cycle * 1_000) }])
  }
  const reset = async (...how: string[]): Promise<string> => {
    const { brokers, toolsClasspath } = inject('stack')
    const { stdout } = await runKafkaTool(toolsClasspath, 'consumer-groups', [
      ...['--bootstrap-server', brokers, '--reset-offsets', '--execute'],
      ...['--group', names.sinceGroup(partner), '--topic', names.cycles(partner), ...how],
    ])
    return stdout
  }
  const commit = (offset: number): Promise<void> =>
    commitSince({ ...shared, names, transactionalId: `${shared.prefix}.${partner}` }, partner, offset, {
      since: offset * 1_000,
      cycle: offset,
    })
  return { names, reset, commit, read: () => readSinceCommit(shared.admin, names, partner) }
}

test('before any commit there is no base', async () => {
  const { read } = await partnerWith('new', 0)
  expect(await read()).toEqual({ offset: NO_BASE, metadata: null, low: 0, high: 0 })
})

test('a commit is read back with what its marker says, and leaves no record in the markers’ topic', async () => {
  const { commit, read } = await partnerWith('commits', 3)
  await commit(2)
  await commit(3)
  expect(await read()).toEqual({ offset: 3, metadata: { since: 3_000, cycle: 3 }, low: 0, high: 3 })
})

test.each([
  { how: ['--shift-by', '-1'], offset: 2 },
  { how: ['--to-earliest'], offset: 0 },
  { how: ['--to-datetime', '1970-01-01T00:00:02.000'], offset: 1 },
])('the stock tool resets $how, and its commit is known by its empty metadata (row 41)', async ({ how, offset }) => {
  const { commit, read, reset } = await partnerWith(`resets${how[0]}`, 3)
  await commit(3)
  await reset(...how)
  expect(await read()).toMatchObject({ offset, metadata: null, high: 3 })
})

test('records are read by offset, also where the end is asked for beyond what is there', async () => {
  const { names } = await partnerWith('reads', 4)
  const place = { topic: names.cycles('reads'), partition: 0 }
  expect((await readRecords(shared.kafka, shared.prefix, place, 1, 3)).map(textOf)).toEqual(['cycle 2', 'cycle 3'])
  expect((await readRecords(shared.kafka, shared.prefix, place, 3, 99)).map(textOf)).toEqual(['cycle 4'])
  expect(await readRecords(shared.kafka, shared.prefix, place, 4, 99)).toEqual([])
})
