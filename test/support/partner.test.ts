import { setImmediate as anotherTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { listing, listings } from './listings.ts'
import { type Fault, type FaultScript, startPartner, type TestPartner } from './partner.ts'

const PROPERTIES = '/api/v1/marketplace/properties'
const NOW_MS = Date.UTC(2026, 0, 15, 12)
const MINUTE_MS = 60_000

interface Page {
  data: { external_id: string }[]
  meta: { next?: string | null; total_count?: number }
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => listing({ external_id: `A-${index + 1}` }))

const ask = (partner: TestPartner, path: string, signal?: AbortSignal) =>
  fetch(partner.baseUrl + path, { headers: { 'x-api-key': partner.apiKey }, ...(signal ? { signal } : {}) })

const askPage = (partner: TestPartner, query = 'offset=0&limit=2') => ask(partner, `${PROPERTIES}?${query}`)

async function readPage(partner: TestPartner, query?: string): Promise<Page> {
  return (await (await askPage(partner, query)).json()) as Page
}

const readDeletions = async (partner: TestPartner, query = '') =>
  (await ask(partner, `${PROPERTIES}/deleted${query}`)).json()

const idsOf = (page: Page) => page.data.map(({ external_id }) => external_id)
const always =
  (fault: Fault): FaultScript =>
  () =>
    fault

describe('without faults', () => {
  test('every listing once, in order, by following next', async () => {
    const all = listings(1_000)
    await using partner = await startPartner({ listings: all })
    const seen: object[] = []
    for (let url: string | null = `${partner.baseUrl}${PROPERTIES}?offset=0&limit=200`; url !== null; ) {
      const response = await fetch(url, { headers: { 'x-api-key': partner.apiKey } })
      const { data, meta } = (await response.json()) as Page
      seen.push(...data)
      url = meta.next ?? null
    }
    expect(seen).toEqual(JSON.parse(JSON.stringify(all)))
    expect(partner.requests).toHaveLength(5)
  })

  test('updated_since is strictly modified after, by the clock of the partner', async () => {
    await using partner = await startPartner({ nowMs: () => NOW_MS, listings: numbered(2) })
    partner.nowMs = () => NOW_MS + MINUTE_MS
    partner.put(listing({ external_id: 'A-2', title: 'changed' }))
    const since = (ms: number) => readPage(partner, `updated_since=${new Date(ms).toISOString()}&offset=0&limit=200`)
    expect(idsOf(await since(NOW_MS - 1))).toEqual(['A-1', 'A-2'])
    expect(idsOf(await since(NOW_MS))).toEqual(['A-2'])
    expect(idsOf(await since(NOW_MS + MINUTE_MS))).toEqual([])
    const response = await askPage(partner)
    expect(response.headers.get('date')).toBe('Thu, 15 Jan 2026 12:01:00 GMT')
  })

  test('a deletion leaves the one feed and enters the other; put again, it is back', async () => {
    await using partner = await startPartner({ nowMs: () => NOW_MS, listings: numbered(2) })
    partner.delete('A-1')
    expect(idsOf(await readPage(partner))).toEqual(['A-2'])
    expect(await readDeletions(partner)).toEqual({
      deleted_ids: ['A-1'],
      since: null,
      generated_at: '2026-01-15T12:00:00.000Z',
    })
    const later = '2026-01-15T12:00:01Z'
    expect(await readDeletions(partner, '?since=2026-01-15T12:00:00Z')).toMatchObject({ deleted_ids: ['A-1'] })
    expect(await readDeletions(partner, `?since=${later}`)).toMatchObject({ deleted_ids: [], since: null })
    partner.put(listing({ external_id: 'A-1' }))
    expect(idsOf(await readPage(partner))).toEqual(['A-2', 'A-1'])
    expect(await readDeletions(partner)).toMatchObject({ deleted_ids: [] })
  })

  test.each(['data', 'objects', 'items'] as const)('the array of a page is called %s', async envelope => {
    await using partner = await startPartner({ listings: numbered(1), shape: { envelope } })
    expect(await readPage(partner)).toEqual({ [envelope]: [listing({ external_id: 'A-1' })], meta: expect.anything() })
  })

  test.each([
    { next: 'relative-url', expected: `${PROPERTIES}?offset=1&limit=1` },
    { next: 'marker', expected: '1' },
    { next: 'opaque-marker', expected: 'page-1' },
  ] as const)('the next page as $next', async ({ next, expected }) => {
    await using partner = await startPartner({ listings: numbered(2), shape: { next } })
    expect((await readPage(partner, 'offset=0&limit=1')).meta).toEqual({ next: expected, total_count: 2 })
  })

  test.each([
    { end: 'null', next: { next: null } },
    { end: 'empty', next: { next: '' } },
    { end: 'absent', next: {} },
  ] as const)('the last page says so: $end', async ({ end, next }) => {
    await using partner = await startPartner({ shape: { end, totalCount: false } })
    expect((await readPage(partner)).meta).toEqual(next)
  })

  test('its own opaque marker is understood as an offset', async () => {
    await using partner = await startPartner({ listings: numbered(3) })
    expect(idsOf(await readPage(partner, 'offset=page-2&limit=2'))).toEqual(['A-3'])
  })

  test('204 for what is empty', async () => {
    await using partner = await startPartner({ shape: { emptyAs: '204' } })
    expect((await askPage(partner)).status).toBe(204)
    expect((await ask(partner, `${PROPERTIES}/deleted`)).status).toBe(204)
    partner.shape.emptyAs = '200'
    expect(await readPage(partner)).toEqual({ data: [], meta: { next: null, total_count: 0 } })
  })

  test.each([
    { query: '', status: 400 },
    { query: 'offset=0', status: 400 },
    { query: 'offset=-1&limit=2', status: 400 },
    { query: 'offset=0&limit=0', status: 400 },
    { query: 'offset=0&limit=2&updated_since=yesterday', status: 400 },
    { query: 'offset=0&limit=2&updated_since=2026-01-01T00:00:00Z', status: 200 },
  ])('what the contract requires of a request must be there: "$query" is $status', async ({ query, status }) => {
    await using partner = await startPartner()
    expect((await askPage(partner, query)).status).toBe(status)
  })

  test.each([
    { name: 'the default header', options: {}, headers: { 'x-api-key': 'partner-key' }, status: 200 },
    { name: 'a wrong key', options: {}, headers: { 'x-api-key': 'other' }, status: 401 },
    { name: 'no key', options: {}, headers: {}, status: 401 },
    {
      name: 'a bearer token',
      options: { authHeader: 'Authorization' },
      headers: { authorization: 'Bearer partner-key' },
      status: 200,
    },
    {
      name: 'another header',
      options: { authHeader: 'X-Crm-Key', apiKey: 'k' },
      headers: { 'x-crm-key': 'k' },
      status: 200,
    },
    {
      name: 'the key in the default header instead',
      options: { authHeader: 'X-Crm-Key', apiKey: 'k' },
      headers: { 'x-api-key': 'k' },
      status: 401,
    },
  ])('credential: $name is $status', async ({ options, headers, status }) => {
    await using partner = await startPartner(options)
    const response = await fetch(`${partner.baseUrl}${PROPERTIES}/deleted`, {
      headers: headers as Record<string, string>,
    })
    expect(response.status).toBe(status)
    expect(partner.requests[0]).toMatchObject({ feed: 'deletions', path: `${PROPERTIES}/deleted`, status })
  })
})

describe('scripted faults', () => {
  test('a script sees feed, page, number and query, and hits only what it names', async () => {
    const moments: unknown[] = []
    await using partner = await startPartner({ listings: numbered(4) })
    partner.fault(moment => {
      moments.push(moment)
      return moment.page === 1 ? { kind: 'status', status: 503, headers: { 'retry-after': '7' } } : undefined
    })
    await readDeletions(partner)
    expect((await askPage(partner)).status).toBe(200)
    const refused = await askPage(partner, 'offset=2&limit=2')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7'])
    expect(await refused.json()).toEqual({ message: expect.any(String) })
    expect(moments).toEqual([
      { feed: 'deletions', page: 0, requestNumber: 1, query: {} },
      { feed: 'properties', page: 0, requestNumber: 2, query: { offset: '0', limit: '2' } },
      { feed: 'properties', page: 1, requestNumber: 3, query: { offset: '2', limit: '2' } },
    ])
    partner.fault(undefined)
    expect((await askPage(partner, 'offset=2&limit=2')).status).toBe(200)
    expect(partner.requests.map(({ status }) => status)).toEqual([200, 200, 503, 200])
  })

  test('hang: no answer, until the client gives up', async () => {
    await using partner = await startPartner({ fault: always({ kind: 'hang' }) })
    const giveUp = new AbortController()
    const arrived = partner.awaitRequest(() => true)
    const answer = ask(partner, `${PROPERTIES}?offset=0&limit=2`, giveUp.signal)
    await arrived
    giveUp.abort()
    await expect(answer).rejects.toThrow('abort')
    expect(partner.requests[0]?.status).toBeUndefined()
  })

  test('hang: closing the partner ends it', async () => {
    const partner = await startPartner({ fault: always({ kind: 'hang' }) })
    const arrived = partner.awaitRequest(() => true)
    const answer = askPage(partner)
    await arrived
    await Promise.all([expect(answer).rejects.toThrow('fetch failed'), partner.close()])
  })

  test('reset before the answer', async () => {
    await using partner = await startPartner({ fault: always({ kind: 'reset' }) })
    await expect(askPage(partner)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })

  test.each([0, 100])('reset after %i bytes of the body', async bytes => {
    await using partner = await startPartner({ listings: numbered(2), fault: always({ kind: 'reset', bytes }) })
    const response = await askPage(partner)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toMatchObject({ message: 'terminated' })
  })

  test('truncate: HTTP finds nothing wrong, the JSON ends in the middle', async () => {
    await using partner = await startPartner({ listings: numbered(2), fault: always({ kind: 'truncate', bytes: 50 }) })
    const text = await (await askPage(partner)).text()
    expect(text).toHaveLength(50)
    expect(() => JSON.parse(text)).toThrow('JSON')
  })

  test('body: verbatim, with its own status and headers', async () => {
    const body = Buffer.from([0xff, 0xfe, 0x00])
    const fault: Fault = { kind: 'body', body, status: 201, headers: { 'content-type': 'text/html', date: null } }
    await using partner = await startPartner({ fault: always(fault) })
    const response = await askPage(partner)
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('text/html')
    expect(response.headers.has('date')).toBe(false)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(body)
  })

  test('headers: the regular answer with other headers', async () => {
    const fault: Fault = { kind: 'headers', headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }
    await using partner = await startPartner({ listings: numbered(1), fault: always(fault) })
    const response = await askPage(partner)
    expect(response.headers.get('date')).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
    expect(idsOf((await response.json()) as Page)).toEqual(['A-1'])
  })

  test('drip: the whole answer, a few bytes at a time', async () => {
    const fault: Fault = { kind: 'drip', bytesPerTick: 300, tickMs: 1 }
    await using partner = await startPartner({ listings: numbered(2), fault: always(fault) })
    const response = await askPage(partner)
    let chunks = 0
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      chunks += 1
      text += chunk
    }
    expect(idsOf(JSON.parse(text) as Page)).toEqual(['A-1', 'A-2'])
    expect(chunks).toBeGreaterThan(1)
  })

  test.each(['https://elsewhere.example/', '', 7, undefined])('next: %s', async next => {
    await using partner = await startPartner({ listings: numbered(3) })
    await readPage(partner)
    partner.fault(always({ kind: 'next', next }))
    expect((await readPage(partner)).meta).toEqual({ total_count: 3, ...(next === undefined ? {} : { next }) })
    partner.fault(undefined)
    expect((await readPage(partner)).meta.next).toMatch(/offset=2&limit=2$/)
  })

  test('before: the data change while the crawl runs, and the rows slide', async () => {
    await using partner = await startPartner({ listings: numbered(4) })
    const run = async () => {
      await anotherTurn()
      partner.delete('A-1')
    }
    partner.fault(({ page }) => (page === 1 ? { kind: 'before', run } : undefined))
    expect(idsOf(await readPage(partner))).toEqual(['A-1', 'A-2'])
    expect(idsOf(await readPage(partner, 'offset=2&limit=2'))).toEqual(['A-4'])
  })
})

describe('awaitRequest', () => {
  test('resolves with the next matching request, when it arrives', async () => {
    await using partner = await startPartner()
    await askPage(partner)
    const next = partner.awaitRequest(({ feed }) => feed === 'properties')
    await readDeletions(partner)
    await askPage(partner, 'offset=0&limit=77')
    expect(await next).toBe(partner.requests[2])
    expect((await next).query).toEqual({ offset: '0', limit: '77' })
  })

  test('is rejected when the partner closes first', async () => {
    const partner = await startPartner()
    const never = partner.awaitRequest(() => true)
    await partner.close()
    await expect(never).rejects.toThrow('closed before')
    await partner.close()
  })
})
