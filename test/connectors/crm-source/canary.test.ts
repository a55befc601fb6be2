import type { LookupFunction } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { partnerClients } from '../../../connectors/crm-source/partner-client.ts'
import { PredioError, sentenceOf } from '../../../schemas/errors.ts'
import {
  type Fault,
  fakeClock,
  head,
  PAGE,
  partnerAt,
  partnerFor,
  type Rig,
  rawServer,
  recordingLog,
  rigAt,
} from './rig.ts'

/** Invariant I7: found nowhere but in the header of a request to the partner. */
const KEY = 'canary-4f1d0b7c'
const TOKEN_HEADER = { auth: { header: 'x-api-key', secret: 'env:KEY' } }

/** Everything that could come to a log, a report or a terminal, the cause chain and hidden fields included. */
function textOf(error: unknown): string {
  const seen = inspect(error, {
    depth: Infinity,
    showHidden: true,
    getters: true,
    maxStringLength: null,
    maxArrayLength: null,
  })
  const stack = error instanceof Error ? error.stack : ''
  return [seen, stack, sentenceOf(error), JSON.stringify(error)].join('\n')
}

/** A partner that says whatever it was asked back to us, where it can. */
const echoes: readonly { name: string; answer: string }[] = [
  { name: 'in the status text', answer: head(`500 ${KEY}`, { 'content-length': 0 }) },
  { name: 'in the body of an error', answer: `${head('500 Oops', { 'content-length': KEY.length })}${KEY}` },
  { name: 'in a body that is no HTTP', answer: `${KEY}: ${KEY}\r\n\r\n` },
  { name: 'in a header that is none', answer: `HTTP/1.1 200 OK\r\nx-ok: 1\r\n${KEY}\r\n\r\n` },
  { name: 'in a chunk that is none', answer: `${head('200 OK', { 'transfer-encoding': 'chunked' })}${KEY}\r\n` },
  { name: 'in location', answer: head('302 Found', { location: `https://${KEY}.evil.example/?key=${KEY}` }) },
  { name: 'in content-encoding', answer: head('200 OK', { 'content-encoding': KEY, 'content-length': 0 }) },
  { name: 'in retry-after', answer: head('429 Busy', { 'retry-after': `86400 ${KEY}`, 'content-length': 0 }) },
  { name: 'in ratelimit', answer: head('401 No', { ratelimit: `"${KEY}";r=0;t=9`, 'content-length': 0 }) },
  {
    name: 'in broken gzip',
    answer: `${head('200 OK', { 'content-encoding': 'gzip', 'content-length': KEY.length })}${KEY}`,
  },
  { name: 'in bytes that are no UTF-8', answer: `${head('200 OK', { 'content-length': KEY.length + 1 })}${KEY}\xff` },
  { name: 'in a body that breaks off', answer: `${head('200 OK', { 'content-length': 1_000 })}${KEY}` },
  {
    name: 'in gzip that breaks off',
    answer: `${head('200 OK', { 'content-encoding': 'gzip' })}${gzipSync(KEY).toString('latin1').slice(0, 30)}`,
  },
]

async function expectSilence(rig: Rig): Promise<PredioError> {
  const failure = await rig.failure('properties', { updated_since: '2026-01-15T12:00:00Z', ...PAGE })
  expect(textOf(failure)).not.toContain(KEY)
  expect(rig.lines.join('')).not.toContain(KEY)
  expect(failure.message.length, 'short').toBeLessThan(300)
  return failure
}

test.each(echoes)('row 63: a partner that echoes the credential $name does not make us tell it', async ({ answer }) => {
  const server = await rawServer(socket => socket.end(Buffer.from(answer, 'latin1')))
  await expectSilence(rigAt(server.baseUrl, { key: KEY, changes: TOKEN_HEADER }))
  expect(server.received, 'it did get it').toContain(`x-api-key: ${KEY}`)
  expect(server.received.split('\r\n')[0]).not.toContain(KEY)
})

const faults: readonly { row: number; fault: Fault }[] = [
  { row: 2, fault: { kind: 'status', status: 500 } },
  { row: 3, fault: { kind: 'hang' } },
  { row: 4, fault: { kind: 'drip', bytesPerTick: 1, tickMs: 20 } },
  { row: 5, fault: { kind: 'reset' } },
  { row: 5, fault: { kind: 'reset', bytes: 10 } },
  { row: 6, fault: { kind: 'status', status: 429 } },
  { row: 7, fault: { kind: 'status', status: 503, headers: { 'retry-after': '5' }, body: `<html>${KEY}</html>` } },
  { row: 8, fault: { kind: 'status', status: 401 } },
  { row: 9, fault: { kind: 'status', status: 400, body: { message: `bad ${KEY}` } } },
  { row: 11, fault: { kind: 'status', status: 302, headers: { location: 'https://elsewhere.example' } } },
  { row: 16, fault: { kind: 'headers', headers: { 'content-encoding': 'br' } } },
  { row: 17, fault: { kind: 'body', body: Buffer.from([0xff]) } },
]

test.each(faults)('row $row, $fault.kind: no log line and no error holds the credential', async ({ fault }) => {
  for (const auth of [TOKEN_HEADER.auth, { scheme: 'bearer', secret: 'env:KEY' }]) {
    const authHeader = 'scheme' in auth ? 'authorization' : 'x-api-key'
    const partner = await partnerFor({ apiKey: KEY, authHeader, fault: () => fault })
    await expectSilence(rigAt(partner.baseUrl, { key: KEY, changes: { auth, request_timeout: '0.1s' } }))
    expect(partner.requests.length).toBeGreaterThan(0)
  }
})

test('row 1: nor what cannot be reached', async () => {
  const lookup: LookupFunction = (_, __, callback) => callback(new Error('no such name'), [])
  expect((await expectSilence(rigAt('http://crm.example', { key: KEY, lookup }))).code).toBe('PARTNER_UNREACHABLE')
  const guarded = rigAt('https://127.0.0.1:1', { key: KEY, changes: { allow_private: false } })
  expect((await expectSilence(guarded)).code).toBe('PARTNER_ADDRESS_REFUSED')
})

test('row 63: nor a start with a credential that no header can carry', () => {
  const ports = { variables: { KEY: `${KEY}\nx: y` }, clock: fakeClock(), log: recordingLog().log }
  let thrown: unknown
  try {
    partnerClients([partnerAt('http://127.0.0.1:1')], ports)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(PredioError)
  expect(textOf(thrown)).not.toContain(KEY)
})
