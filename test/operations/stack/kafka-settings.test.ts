import { expect, test } from 'vitest'
import { jvmFlags, needsRecovery, serverProperties } from '../../../operations/stack/kafka-settings.ts'

const settings = Object.fromEntries(
  serverProperties({ kafka: 9092, controller: 9093 })
    .trimEnd()
    .split('\n')
    .map(line => line.split('=', 2) as [string, string]),
)

test('nothing listens outside loopback', () => {
  const hosts = Object.values(settings)
    .join(' ')
    .match(/(?<=\/\/|@)[\d.]+(?=:)/g)
  expect(hosts).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1'])
})

test('clients are sent to the client port, the controller keeps its own', () => {
  expect(settings['advertised.listeners']).toBe('PLAINTEXT://127.0.0.1:9092')
  expect(settings['controller.quorum.voters']).toBe('1@127.0.0.1:9093')
})

test('one broker is enough for every internal topic', () => {
  const factors = Object.entries(settings).filter(([name]) => /replication\.factor$|min\.isr$/.test(name))
  expect(factors).toHaveLength(5)
  expect(factors.map(([, value]) => value)).toEqual(['1', '1', '1', '1', '1'])
})

test('a misspelt topic is not created, and the registry’s journal is never aged out', () => {
  expect(settings).toMatchObject({ 'auto.create.topics.enable': 'false', 'log.retention.ms': '-1' })
})

test('the data folder’s name does not get into the file', () => {
  expect(settings['log.dirs']).toBe('kafka')
})

test('heavy gives Kafka the full compiler and 1 GiB', () => {
  expect(jvmFlags(true)).toContain('-Xmx1g')
  expect(jvmFlags(true).join()).not.toContain('TieredStopAtLevel')
  expect(jvmFlags(false)).toContain('-XX:TieredStopAtLevel=1')
})

test.each([
  { name: 'a folder never used', entries: [], expected: false },
  { name: 'stopped in order', entries: ['meta.properties', '.kafka_cleanshutdown'], expected: false },
  { name: 'killed', entries: ['meta.properties', '__consumer_offsets-0'], expected: true },
])('recovery, $name: $expected', ({ entries, expected }) => {
  expect(needsRecovery(entries)).toBe(expected)
})
