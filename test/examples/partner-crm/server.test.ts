import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueOf } from '../../../examples/partner-crm/listings.mjs'

const SERVER = new URL('../../../examples/partner-crm/server.mjs', import.meta.url)
const KEY = 'a-key-of-the-test'
const PROPERTIES = '/api/v1/marketplace/properties'
const DELETED = `${PROPERTIES}/deleted`
const COUNT = 450

interface Page {
  data: { external_id?: unknown }[]
  meta: { next: string | null; total_count: number }
}

interface Deletions {
  deleted_ids: string[]
  since: string | null
  generated_at: string
}

interface Running {
  readonly child: ChildProcess
  readonly ready: string
  readonly baseUrl: string
}

const spawnServer = (flags: readonly string[], env: NodeJS.ProcessEnv = { API_KEY: KEY }) =>
  spawn(process.execPath, [SERVER.pathname, '--port', '0', ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })

async function start(...flags: string[]): Promise<Running> {
  const child = spawnServer(flags)
  const [ready] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, ready, baseUrl: ready.split(' ')[1] ?? '' }
}

async function stop({ child }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = (await exit) as [number | null]
  return code
}

const ask = (url: string, headers: Record<string, string> = { 'x-api-key': KEY }, method = 'GET') =>
  fetch(url, { headers, method })

async function read<Body>(url: string): Promise<Body> {
  const response = await ask(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  return (await response.json()) as Body
}

/** All pages, by following `meta.next` as the service does. */
async function crawl(url: string): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let next: string | null = url; next !== null; next = pages.at(-1)?.meta.next ?? null) {
    pages.push(await read<Page>(next))
  }
  return pages
}

describe('a catalogue that stands still', () => {
  const entries = [...catalogueOf({ count: COUNT, seed: 3 }).entries.values()]
  const changes = entries.map(entry => entry.changedMs).sort((a, b) => a - b)
  let server: Running
  beforeAll(async () => {
    server = await start('--listings', String(COUNT), '--seed', '3')
  })
  afterAll(() => stop(server))
  const url = (path: string) => server.baseUrl + path

  test('says where it listens', () => {
    expect(server.ready).toMatch(/^READY http:\/\/127\.0\.0\.1:\d+ listings=450$/)
  })

  test('paging to the end visits every listing once, in one order (contract 4.1)', async () => {
    const pages = await crawl(url(`${PROPERTIES}?offset=0&limit=200`))
    expect(pages.map(page => page.data.length)).toEqual([200, 200, 50])
    expect(pages.flatMap(page => page.data)).toEqual(entries.map(entry => entry.listing))
    expect(pages.map(page => page.meta)).toEqual([
      { next: url(`${PROPERTIES}?offset=200&limit=200`), total_count: COUNT },
      { next: url(`${PROPERTIES}?offset=400&limit=200`), total_count: COUNT },
      { next: null, total_count: COUNT },
    ])
  })

  test('a page that ends with the catalogue has no next one', async () => {
    const page = await read<Page>(url(`${PROPERTIES}?offset=400&limit=50`))
    expect(page.meta.next).toBeNull()
    expect(page.data).toHaveLength(50)
  })

  test('updated_since selects what was modified after it, and stays in the next link (contract 4.1 rule 4)', async () => {
    const updatedSince = new Date(changes[200] ?? 0).toISOString().replace('.000Z', '+00:00')
    const query = new URLSearchParams({ updated_since: updatedSince, offset: '0', limit: '100' })
    const pages = await crawl(url(`${PROPERTIES}?${query}`))
    const after = entries.filter(entry => entry.changedMs > (changes[200] ?? 0))
    expect(pages.flatMap(page => page.data)).toEqual(after.map(entry => entry.listing))
    const next = new URL(pages[0]?.meta.next ?? '')
    expect(Object.fromEntries(next.searchParams)).toEqual({ updated_since: updatedSince, offset: '100', limit: '100' })
  })

  test('nothing modified since: 200 with an empty page and no next one', async () => {
    const updatedSince = new Date(changes.at(-1) ?? 0).toISOString()
    const page = await read<Page>(url(`${PROPERTIES}?updated_since=${updatedSince}&offset=0&limit=200`))
    expect(page).toEqual({ data: [], meta: { next: null, total_count: 0 } })
  })

  test('an offset past the end is an empty page', async () => {
    const page = await read<Page>(url(`${PROPERTIES}?offset=5000&limit=200`))
    expect(page).toEqual({ data: [], meta: { next: null, total_count: COUNT } })
  })

  test.each(['', '?since=2020-01-01T00:00:00Z'])('no deletions (contract 2.3): %s', async query => {
    const answer = await read<Deletions>(url(DELETED + query))
    expect(answer).toEqual({ deleted_ids: [], since: null, generated_at: expect.stringMatching(/^\d{4}-.*Z$/) })
  })

  test.each([
    `${PROPERTIES}?updated_since=yesterday&offset=0&limit=200`,
    `${PROPERTIES}?updated_since=&offset=0&limit=200`,
    `${PROPERTIES}?updated_since=2026-01-01&offset=0&limit=200`,
    `${PROPERTIES}?updated_since=2026-01-01T10:00:00&offset=0&limit=200`,
    `${PROPERTIES}?updated_since=2026-13-01T10:00:00Z&offset=0&limit=200`,
    `${PROPERTIES}?updated_since=2026-02-30T10:00:00Z&offset=0&limit=200`,
    `${PROPERTIES}?offset=-1&limit=200`,
    `${PROPERTIES}?offset=1.5&limit=200`,
    `${PROPERTIES}?offset=&limit=200`,
    `${PROPERTIES}?offset=0&limit=0`,
    `${PROPERTIES}?offset=0&limit=1001`,
    `${PROPERTIES}?offset=0&limit=all`,
    `${DELETED}?since=31/01/2026`,
    `${DELETED}?since=2026-01-01T25:00:00Z`,
  ])('400 with a readable message (contract 7): %s', async path => {
    const response = await ask(url(path))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'invalid_parameter', message: expect.stringContaining(' must be ') })
  })

  describe.each([PROPERTIES, DELETED])('401 (contract 5): %s', path => {
    test.each([
      { name: 'no key', headers: {} },
      { name: 'another key of the same length', headers: { 'x-api-key': KEY.replace('a', 'b') } },
      { name: 'the beginning of the key', headers: { 'x-api-key': KEY.slice(0, -1) } },
      { name: 'the key and more', headers: { 'x-api-key': `${KEY}!` } },
    ])('$name', async ({ headers }) => {
      const response = await ask(url(path), headers)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: 'unauthorized' })
    })

    test('the key in the query does not count (contract 5 rule 4)', async () => {
      expect((await ask(url(`${path}?x-api-key=${KEY}&api_key=${KEY}`), {})).status).toBe(401)
    })
  })

  test.each([
    { method: 'GET', path: '/', status: 404 },
    { method: 'GET', path: `${PROPERTIES}/CRM-000001`, status: 404 },
    { method: 'POST', path: PROPERTIES, status: 405 },
    { method: 'DELETE', path: DELETED, status: 405 },
  ])('$method $path is $status, in JSON', async ({ method, path, status }) => {
    const response = await ask(url(path), { 'x-api-key': KEY }, method)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ message: expect.any(String) })
  })

  test('one connection serves many requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const reused: boolean[] = []
    for (let request = 0; request < 3; request += 1) {
      const sent = get(url(DELETED), { agent, headers: { 'x-api-key': KEY } }, response => response.resume())
      await once(sent, 'close')
      reused.push(sent.reusedSocket)
    }
    agent.destroy()
    expect(reused).toEqual([false, true, true])
  })
})

describe('a catalogue in motion', () => {
  let server: Running
  beforeAll(async () => {
    server = await start('--listings', '600', '--change-every', '1ms')
  })
  afterAll(() => stop(server))

  test('rows do not move between the pages of a crawl (contract 4.1 rule 3)', async () => {
    const pages = await crawl(`${server.baseUrl}${PROPERTIES}?offset=0&limit=10`)
    const totals = new Set(pages.map(page => page.meta.total_count))
    const ids = pages.flatMap(page => page.data).map(listing => listing.external_id)
    const named = ids.filter(id => typeof id === 'string')
    expect([...totals]).toEqual([ids.length])
    expect(new Set(named).size).toBe(named.length)
    expect((await crawl(`${server.baseUrl}${PROPERTIES}?offset=0&limit=1000`))[0]?.data).not.toEqual(
      pages.flatMap(page => page.data),
    )
  })

  test('deletions are told since a date, which is echoed (contract 4.2)', async () => {
    const url = `${server.baseUrl}${DELETED}`
    let all = await read<Deletions>(url)
    while (all.deleted_ids.length < 10) all = await read<Deletions>(url)
    const [hourAgo, inAnHour] = [-1, 1].map(hours =>
      new Date(Date.parse(all.generated_at) + hours * 3_600_000).toISOString(),
    )
    expect(all.since).toBeNull()
    const recent = await read<Deletions>(`${url}?since=${hourAgo}`)
    expect(recent.since).toBe(hourAgo)
    expect(recent.deleted_ids.length).toBeGreaterThan(0)
    expect(recent.deleted_ids.every(id => /^CRM-\d{6}$/.test(id))).toBe(true)
    expect(await read<Deletions>(`${url}?since=${inAnHour}`)).toMatchObject({ deleted_ids: [], since: null })
  })

  test('what changed is in the next cycle', async () => {
    const updatedSince = '2025-12-31T23:59:59Z' // all of the generated changes are older
    const url = `${server.baseUrl}${PROPERTIES}?updated_since=${updatedSince}&offset=0&limit=200`
    let page = await read<Page>(url)
    while (page.data.length === 0) page = await read<Page>(url)
    expect(page.meta.total_count).toBeLessThan(5_000)
  })
})

describe('the process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it at once, open connections or not', async signal => {
    const server = await start('--listings', '1', '--change-every', '5s')
    const agent = new Agent({ keepAlive: true })
    const [response] = await once(get(server.baseUrl, { agent }), 'response')
    response.resume()
    expect(await stop(server, signal)).toBe(0)
    agent.destroy()
  })

  test.each([
    { name: 'no key', flags: [], env: {}, says: 'API_KEY' },
    { name: 'a port that is none', flags: ['--port', '70000'], env: { API_KEY: KEY }, says: '--port' },
    {
      name: 'a duration without a unit',
      flags: ['--change-every', '5'],
      env: { API_KEY: KEY },
      says: '--change-every',
    },
    { name: 'an unknown flag', flags: ['--nope'], env: { API_KEY: KEY }, says: '--nope' },
  ])('$name: one sentence and exit code 2', async ({ flags, env, says }) => {
    const child = spawnServer(flags, env)
    const lines: string[] = []
    createInterface({ input: child.stderr }).on('line', line => lines.push(line))
    const [code] = await once(child, 'close')
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringContaining(says)])
  })
})

test('it stays short and needs nothing but Node', () => {
  const lines = readFileSync(SERVER, 'utf8').trimEnd().split('\n')
  const imports = lines.flatMap(line => /^import .* from '(.*)'$/.exec(line)?.[1] ?? [])
  expect(lines.length).toBeLessThan(150)
  expect(imports.filter(name => !/^(node:|\.\/)/.test(name))).toEqual([])
  expect(imports).toContain('node:http')
})
