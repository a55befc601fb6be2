import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listings } from '../../support/listings.ts'
import { type Fault, head, NOW_MS, PAGE, partnerFor, rawServer, rigAt } from './rig.ts'

const always = (fault: Fault) => () => fault
/** Short, so that a test that waits for it is short. */
const HURRIED = { changes: { request_timeout: '0.1s' } }

describe('the request (contract 4 and 5)', () => {
  test('says what it wants and who asks, and nothing of that in the URL', async () => {
    const partner = await partnerFor({ apiKey: 'k-1' })
    const rig = rigAt(partner.baseUrl, { key: 'k-1' })
    await rig.read('properties', { updated_since: '2026-01-15T12:00:00Z', ...PAGE })
    await rig.read('deletions', {})
    expect(partner.requests.map(({ path, query }) => [path, query])).toEqual([
      ['/api/v1/marketplace/properties', { updated_since: '2026-01-15T12:00:00Z', ...PAGE }],
      ['/api/v1/marketplace/properties/deleted', {}],
    ])
    for (const { headers } of partner.requests) {
      expect(headers).toEqual({
        host: new URL(partner.baseUrl).host,
        connection: 'keep-alive',
        accept: 'application/json',
        'accept-encoding': 'gzip, identity',
        'user-agent': 'predio',
        'x-api-key': 'k-1',
      })
    }
  })

  test.each([
    { name: 'a bearer token', auth: { scheme: 'bearer' }, authHeader: 'authorization' },
    { name: 'any other header', auth: { header: 'X-Crm-Key' }, authHeader: 'x-crm-key' },
  ])('$name', async ({ auth, authHeader }) => {
    const partner = await partnerFor({ apiKey: 'k', authHeader })
    const rig = rigAt(partner.baseUrl, { key: 'k', changes: { auth: { ...auth, secret: 'env:KEY' } } })
    expect(await rig.read()).toMatchObject({ status: 200 })
    expect(partner.requests[0]!.headers).not.toHaveProperty('x-api-key')
  })

  test('pages and feeds of a cycle share one connection', async () => {
    const server = await rawServer(socket => {
      socket.write(`${head('200 OK', { 'content-length': 2 })}{}`)
    })
    const rig = rigAt(server.baseUrl)
    for (let page = 0; page < 5; page++) await rig.read()
    await rig.read('deletions', {})
    expect(server.sockets).toHaveLength(1)
  })

  test('counts for the report what a cycle has used', async () => {
    const partner = await partnerFor({ listings: listings(3) })
    const rig = rigAt(partner.baseUrl)
    const { text } = await rig.read()
    expect(rig.budget).toMatchObject({ requests: 1, bytes: Buffer.byteLength(text!), waitedMs: 0 })
  })

  test('the partner’s clock is told by Date, if it is a date', async () => {
    const partner = await partnerFor({ nowMs: () => NOW_MS })
    const rig = rigAt(partner.baseUrl)
    expect((await rig.read()).dateMs).toBe(NOW_MS)
    for (const date of [null, '1', 'Thu, 15 Jan 2026 12:00:00', 'Fri, 15 Jan 2026 12:00:00 GMT', '2026-01-15']) {
      partner.fault(always({ kind: 'headers', headers: { date } }))
      expect((await rig.read()).dateMs).toBeUndefined()
    }
  })
})

describe('what cannot be reached', () => {
  test('row 1: connection refused', async () => {
    const partner = await partnerFor()
    const { baseUrl } = partner
    await partner.close()
    const { code, message } = await rigAt(baseUrl).failure('deletions', {})
    expect(code).toBe('PARTNER_UNREACHABLE')
    expect(message).toBe(
      'the partner cannot be reached (partner acme, feed deletions, reason ECONNREFUSED): check base_url and the partner’s service.',
    )
  })

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('row 1: the name does not resolve, %s', async code => {
    const rig = rigAt('http://crm.acme.example', {
      lookup: (_, __, callback) => callback(Object.assign(new Error('getaddrinfo'), { code }), []),
    })
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_UNREACHABLE', context: { reason: code } })
  })

  test('row 1: a name server that never answers', async () => {
    const rig = rigAt('http://crm.acme.example', { ...HURRIED, lookup: () => {} })
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_TIMEOUT' })
  })

  test('what answers is no HTTP server', async () => {
    const server = await rawServer(socket => socket.end('220 mail.acme.example ESMTP\r\n'))
    const { code, context } = await rigAt(server.baseUrl).failure()
    expect(code).toBe('PARTNER_UNREACHABLE')
    expect(context.reason).toMatch(/^(HPE_\w+|HTTPParserError)$/)
  })

  test('headers without an end are cut off', async () => {
    const server = await rawServer(socket => {
      socket.write(`HTTP/1.1 200 OK\r\nx-filler: ${'x'.repeat(100_000)}`)
    })
    const rig = rigAt(server.baseUrl)
    expect(await rig.failure()).toMatchObject({
      code: 'PARTNER_UNREACHABLE',
      context: { reason: 'UND_ERR_HEADERS_OVERFLOW' },
    })
    await server.allClosed()
  })
})

describe('what takes too long: one deadline over connection, headers and body', () => {
  test('row 3: no answer', async () => {
    const server = await rawServer(() => {})
    const rig = rigAt(server.baseUrl, HURRIED)
    expect(await rig.failure()).toMatchObject({
      code: 'PARTNER_TIMEOUT',
      context: { partner: 'acme', feed: 'properties', ms: 100 },
    })
    expect(server.sockets).toHaveLength(1)
    await server.allClosed()
  })

  test('row 3: no TLS handshake', async () => {
    const server = await rawServer(() => {})
    const rig = rigAt(server.baseUrl.replace('http:', 'https:'), HURRIED)
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_TIMEOUT' })
    await server.allClosed()
  })

  test.each([
    { name: 'headers', start: 'HTTP/1.1 200 OK\r\n', drop: 'x-more: 1\r\n' },
    { name: 'body', start: head('200 OK', { 'content-length': 100_000 }), drop: ' ' },
    { name: 'chunked body', start: head('200 OK', { 'transfer-encoding': 'chunked' }), drop: '1\r\n \r\n' },
  ])('row 4: slow drip of the $name: every pause is short, the whole is cut', async ({ start, drop }) => {
    const server = await rawServer(socket => {
      socket.write(start)
      const timer = setInterval(() => socket.write(drop), 5)
      socket.once('close', () => clearInterval(timer))
    })
    expect(await rigAt(server.baseUrl, HURRIED).failure()).toMatchObject({ code: 'PARTNER_TIMEOUT' })
    await server.allClosed()
  })

  test('row 4: a body that drips after an error status is not waited for', async () => {
    const server = await rawServer(socket => {
      socket.write(`${head('500 Oops', { 'content-length': 100_000 })}<html>`)
    })
    expect(await rigAt(server.baseUrl).failure()).toMatchObject({ code: 'PARTNER_STATUS' })
    await server.allClosed()
  })

  test('the cycle’s own deadline, in the middle of a request', async () => {
    const server = await rawServer(() => {})
    const rig = rigAt(server.baseUrl, { cycleTimeoutMs: 50 })
    expect(await rig.failure()).toMatchObject({ code: 'CYCLE_TIMEOUT', context: { partner: 'acme' } })
    expect(await rig.failure(), 'and every later one').toMatchObject({ code: 'CYCLE_TIMEOUT' })
    expect(rig.budget.requests).toBe(1)
    await server.allClosed()
  })

  test('a stop, in the middle of a request', async () => {
    const stop = new AbortController()
    const server = await rawServer(() => stop.abort())
    const rig = rigAt(server.baseUrl, { stop: stop.signal })
    expect(await rig.failure()).toMatchObject({ code: 'CYCLE_STOPPED' })
    await server.allClosed()
  })

  test('a stop, while a slow partner’s next turn is minutes away', async () => {
    const stop = new AbortController()
    const partner = await partnerFor()
    const rig = rigAt(partner.baseUrl, { stop: stop.signal, changes: { requests_per_minute: 0.01 } })
    await rig.read()
    const second = rig.failure()
    stop.abort()
    expect(await second).toMatchObject({ code: 'CYCLE_STOPPED' })
    expect(partner.requests).toHaveLength(1)
  })
})

describe('answers that break off (row 5): the cycle fails, and nothing is stitched together', () => {
  test.each([
    { name: 'a reset before the answer', fault: { kind: 'reset' } },
    { name: 'a reset in the body', fault: { kind: 'reset', bytes: 100 } },
  ] as const)('row 5: $name', async ({ fault }) => {
    const partner = await partnerFor({ listings: listings(5), fault: always(fault) })
    const { code, context } = await rigAt(partner.baseUrl).failure()
    expect(code).toBe('PARTNER_UNREACHABLE')
    expect(context.reason).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/)
    expect(partner.requests, 'not asked again in this cycle (contract 7 rule 2)').toHaveLength(1)
  })

  test.each([
    { name: 'fewer bytes than content-length says', answer: `${head('200 OK', { 'content-length': 100 })}{"data":[` },
    { name: 'no last chunk', answer: `${head('200 OK', { 'transfer-encoding': 'chunked' })}4\r\n{"da\r\n` },
    { name: 'headers without an end', answer: 'HTTP/1.1 200 OK\r\ncontent-le' },
    { name: 'nothing at all', answer: '' },
  ])('row 5: $name', async ({ answer }) => {
    const server = await rawServer(socket => socket.end(answer))
    expect(await rigAt(server.baseUrl).failure()).toMatchObject({ code: 'PARTNER_UNREACHABLE' })
    expect(server.sockets).toHaveLength(1)
  })
})

describe('statuses that fail the cycle, with one request and a word that holds no body', () => {
  test.each([
    { row: '2', status: 500, code: 'PARTNER_STATUS' },
    { row: '2', status: 502, code: 'PARTNER_STATUS' },
    { row: '8', status: 401, code: 'PARTNER_AUTH' },
    { row: '8', status: 403, code: 'PARTNER_AUTH' },
    { row: '9', status: 400, code: 'PARTNER_STATUS' },
    { row: 'of contract 7', status: 404, code: 'PARTNER_STATUS' },
    { row: 'of contract 7', status: 201, code: 'PARTNER_STATUS' },
    { row: 'of contract 7', status: 206, code: 'PARTNER_STATUS' },
  ])('row $row: $status is $code', async ({ status, code }) => {
    const body = `<html>${'stack trace of the CRM '.repeat(1_000)}</html>`
    const partner = await partnerFor({ fault: always({ kind: 'status', status, body }) })
    const rig = rigAt(partner.baseUrl)
    const failure = await rig.failure('properties', { updated_since: '2026-01-15T12:00:00Z', ...PAGE })
    expect(failure).toMatchObject({ code, context: { partner: 'acme', feed: 'properties', status } })
    expect(failure.message.length).toBeLessThan(250)
    expect(partner.requests).toHaveLength(1)
    expect(partner.requests[0]!.query.updated_since, 'row 9: never dropped').toBe('2026-01-15T12:00:00Z')
    expect(rig.clock.slept).toEqual([])
    expect(rig.lines).toEqual([])
  })

  test('row 10: 204 is an empty answer', async () => {
    const partner = await partnerFor({ shape: { emptyAs: '204' } })
    expect(await rigAt(partner.baseUrl).read()).toMatchObject({ status: 204, text: null })
  })

  test.each([301, 302, 303, 307, 308])(
    'row 11: a redirect, %i, is not followed, the credential stays',
    async status => {
      const other = createServer((_, response) => response.end('{}'))
      other.listen(0, '127.0.0.1')
      await once(other, 'listening')
      onTestFinished(() => void other.close())
      let arrived = 0
      other.on('connection', () => arrived++)
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/v1/marketplace/properties`
      const partner = await partnerFor({ fault: always({ kind: 'status', status, headers: { location } }) })
      const failure = await rigAt(partner.baseUrl).failure()
      expect(failure).toMatchObject({ code: 'PARTNER_REDIRECT', context: { status } })
      expect(failure.message, 'where to is the partner’s text').not.toContain(location)
      expect(arrived).toBe(0)
      expect(partner.requests).toHaveLength(1)
    },
  )
})
