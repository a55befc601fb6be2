import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { choosePort, claimPorts } from '../../../operations/stack/ports.ts'

test.each([
  { name: 'given and free', given: 9092, last: 7000, taken: [], expected: { kind: 'use', port: 9092 } },
  { name: 'given and taken', given: 9092, last: 7000, taken: [9092], expected: { kind: 'taken', port: 9092 } },
  { name: 'given as 0: last time’s', given: 0, last: 7000, taken: [], expected: { kind: 'use', port: 7000 } },
  { name: 'last time’s, free', given: undefined, last: 7000, taken: [], expected: { kind: 'use', port: 7000 } },
  { name: 'last time’s, taken', given: undefined, last: 7000, taken: [7000], expected: { kind: 'any' } },
  { name: 'a first start', given: undefined, last: undefined, taken: [], expected: { kind: 'any' } },
])('$name', ({ given, last, taken, expected }) => {
  expect(choosePort(given, last, port => !(taken as number[]).includes(port))).toEqual(expected)
})

test('four different ports, and the same ones again while they are free', async () => {
  const first = await claimPorts({}, {})
  expect(new Set(Object.values(first)).size).toBe(4)
  expect(await claimPorts({}, first)).toEqual(first)
})

async function occupiedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a remembered port that somebody else has now is replaced', async () => {
  const kafka = await occupiedPort()
  expect((await claimPorts({}, { kafka })).kafka).not.toBe(kafka)
})

test('a given port that is taken is an error that names it', async () => {
  const registry = await occupiedPort()
  await expect(claimPorts({ registry }, {})).rejects.toMatchObject({
    code: 'STACK_START_FAILED',
    message: expect.stringContaining(`part registry, reason port ${registry} is taken`),
  })
})

test('one port given for two parts is taken the second time', async () => {
  const { kafka } = await claimPorts({}, {})
  await expect(claimPorts({ kafka, postgres: kafka }, {})).rejects.toThrow(/part postgres/)
})
