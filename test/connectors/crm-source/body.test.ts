import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { BODY_MAX_BYTES } from '../../../connectors/crm-source/body.ts'
import { listings } from '../../support/listings.ts'
import { type Fault, head, partnerFor, rawServer, rigAt } from './rig.ts'

const JSON_TEXT = '{"data":[],"meta":{"next":null},"note":"Peñón de los Baños 😀"}'
const encoded = (body: Buffer, coding: string): Fault => ({
  kind: 'body',
  body,
  headers: { 'content-encoding': coding },
})
const answering = async (fault: Fault) => rigAt((await partnerFor({ fault: () => fault })).baseUrl)

/** Sends the same again and again, until nobody takes it. */
async function endless(headers: Record<string, string>, chunk: Buffer) {
  return rawServer(socket => {
    socket.write(head('200 OK', headers))
    const more = (): void => {
      while (socket.writable && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
}

describe('a body that can be read', () => {
  test.each([
    { name: 'as it is', fault: { kind: 'body', body: JSON_TEXT } },
    { name: 'identity by name', fault: encoded(Buffer.from(JSON_TEXT), 'identity') },
    { name: 'gzip', fault: encoded(gzipSync(JSON_TEXT), 'gzip') },
    { name: 'GZIP', fault: encoded(gzipSync(JSON_TEXT), 'GZIP') },
    { name: 'gzip by its old name', fault: encoded(gzipSync(JSON_TEXT), 'x-gzip') },
    {
      name: 'gzip of two members',
      fault: encoded(Buffer.concat([gzipSync(JSON_TEXT.slice(0, 20)), gzipSync(JSON_TEXT.slice(20))]), 'gzip'),
    },
    { name: 'a byte order mark before it', fault: { kind: 'body', body: `\ufeff${JSON_TEXT}` } },
  ] satisfies { name: string; fault: Fault }[])('$name', async ({ fault }) => {
    const rig = await answering(fault)
    expect((await rig.read()).text).toBe(JSON_TEXT)
  })

  test('a page of 10,000 listings, gzipped, counts decoded', async () => {
    const text = `{"data":[${`${JSON.stringify(listings(1)[0])},`.repeat(9_999)}{}]}`
    const rig = await answering(encoded(gzipSync(text, { level: 1 }), 'gzip'))
    expect((await rig.read()).text).toBe(text)
    expect(rig.budget.bytes).toBe(Buffer.byteLength(text))
  })

  test('1,000,000 deleted ids (row 18)', async () => {
    const body = `{"deleted_ids":[${'"P-1",'.repeat(999_999)}"P-2"]}`
    const rig = await answering({ kind: 'body', body })
    expect((await rig.read('deletions', {})).text).toHaveLength(body.length)
  })
})

describe('row 16: bombs are cut off', () => {
  test('a gzip bomb: little is read, and no more than the cap is ever unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(BODY_MAX_BYTES + 1), { level: 1 }) // 0.3 MB
    const server = await endless({ 'content-encoding': 'gzip' }, bomb)
    const rig = rigAt(server.baseUrl)
    const before = process.memoryUsage().rss
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_BODY_TOO_LARGE', context: { maxBytes: BODY_MAX_BYTES } })
    expect(process.memoryUsage().rss - before).toBeLessThan(4 * BODY_MAX_BYTES)
    await server.allClosed()
  })

  test('2 GB, by its own word: not begun to be read', async () => {
    const server = await endless({ 'content-length': '2147483648' }, Buffer.alloc(65_536))
    expect(await rigAt(server.baseUrl).failure()).toMatchObject({ code: 'PARTNER_BODY_TOO_LARGE' })
    await server.allClosed()
    expect(server.sockets[0]!.bytesWritten).toBeLessThan(BODY_MAX_BYTES / 2)
  })

  test('a body without an end', async () => {
    const server = await endless({}, Buffer.alloc(1024 * 1024, ' '))
    expect(await rigAt(server.baseUrl).failure()).toMatchObject({ code: 'PARTNER_BODY_TOO_LARGE' })
    await server.allClosed()
    expect(server.sockets[0]!.bytesWritten).toBeLessThan(2 * BODY_MAX_BYTES)
  })

  test.each([
    { name: 'two codings', codings: ['gzip, gzip'] },
    { name: 'six codings', codings: ['gzip, gzip, gzip, gzip, gzip, gzip'] },
    { name: 'two codings in two headers', codings: ['gzip', 'gzip'] },
    { name: 'identity and gzip', codings: ['identity, gzip'] },
    { name: 'deflate', codings: ['deflate'] },
    { name: 'br', codings: ['br'] },
    { name: 'zstd', codings: ['zstd'] },
    { name: 'what no server has', codings: ['gzip;q=1'] },
  ])('$name: refused by the name', async ({ codings }) => {
    const headers = codings.map(coding => `content-encoding: ${coding}\r\n`).join('')
    const body = deflateSync('{}')
    const server = await rawServer(socket => {
      socket.write(`HTTP/1.1 200 OK\r\n${headers}content-length: ${body.length + 1}\r\n\r\n`)
      socket.write(body)
    })
    expect(await rigAt(server.baseUrl).failure()).toMatchObject({
      code: 'PARTNER_BODY_UNREADABLE',
      context: { reason: 'another content coding than one gzip' },
    })
    await server.allClosed()
  })

  test.each([
    { name: 'brackets', body: '['.repeat(3_000_000) },
    { name: 'objects in objects', body: '{"":'.repeat(3_000_000) },
    { name: 'empty objects', body: `{"data":[${'{},'.repeat(3_000_000)}{}]}` },
    { name: 'nothing but commas', body: `{"data":[${','.repeat(3_000_000)}]}` },
  ])('small bodies that are large once parsed: $name', async ({ body }) => {
    const rig = await answering(encoded(gzipSync(body), 'gzip'))
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_BODY_TOO_LARGE' })
  })
})

describe('a body that cannot be read', () => {
  test.each([
    { name: 'no gzip at all', body: Buffer.from(JSON_TEXT) },
    { name: 'gzip cut short', body: gzipSync(JSON_TEXT).subarray(0, -12) },
    { name: 'gzip with a wrong checksum', body: Buffer.concat([gzipSync(JSON_TEXT).subarray(0, -8), Buffer.alloc(8)]) },
    { name: 'nothing', body: Buffer.alloc(0) },
  ])('row 5: $name', async ({ body }) => {
    const rig = await answering(encoded(body, 'gzip'))
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_BODY_UNREADABLE', context: { reason: 'broken gzip' } })
  })

  test('row 5: a reset in gzip is a reset', async () => {
    const gzip = gzipSync(JSON.stringify(listings(500)))
    const server = await rawServer(socket => {
      socket.write(head('200 OK', { 'content-encoding': 'gzip', 'content-length': gzip.length }))
      socket.write(gzip.subarray(0, 5_000), () => socket.resetAndDestroy())
    })
    expect(await rigAt(server.baseUrl).failure()).toMatchObject({ code: 'PARTNER_UNREACHABLE' })
  })

  test('row 4: gzip that drips is cut by the deadline', async () => {
    const gzip = gzipSync(JSON.stringify(listings(500)))
    const server = await rawServer(socket => {
      socket.write(head('200 OK', { 'content-encoding': 'gzip', 'content-length': gzip.length }))
      socket.write(gzip.subarray(0, 5_000))
    })
    const rig = rigAt(server.baseUrl, { changes: { request_timeout: '0.1s' } })
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_TIMEOUT' })
    await server.allClosed()
  })

  test.each([
    { name: 'Latin-1', body: Buffer.from('{"city":"México"}', 'latin1') },
    { name: 'UTF-16', body: Buffer.from(`\ufeff${JSON_TEXT}`, 'utf16le') },
    { name: 'a surrogate in UTF-8', body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]) },
    { name: 'an overlong slash', body: Buffer.from([0x22, 0xc0, 0xaf, 0x22]) },
    { name: 'a character cut in the middle', body: Buffer.from('"ñ').subarray(0, -1) },
  ])('row 17: no UTF-8, $name', async ({ body }) => {
    const rig = await answering({ kind: 'body', body })
    expect(await rig.failure()).toMatchObject({
      code: 'PARTNER_BODY_UNREADABLE',
      context: { reason: 'no valid UTF-8' },
    })
  })
})
