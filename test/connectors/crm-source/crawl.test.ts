import { expect, test } from 'vitest'
import { runCycle } from '../../../connectors/crm-source/cycle.ts'
import type { PageSender } from '../../../connectors/crm-source/records.ts'
import type { Partner } from '../../../connectors/partners.ts'
import { FEED_PATHS } from '../../../schemas/feeds.ts'
import { listing } from '../../support/listings.ts'
import {
  type Fault,
  NOW_MS,
  type PartnerOptions,
  partnerAt,
  partnerFor,
  rawServer,
  recordingLog,
  rigAt,
} from './rig.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => listing({ external_id: `A-${index + 1}` }))

/** Takes everything and keeps the ids. */
function takingSender(taken: unknown[]): PageSender {
  const partitions = { properties: 0, deletions: 0 }
  const properties: PageSender['properties'] = async elements => {
    for (const { externalId } of elements) taken.push(externalId)
    return taken.length
  }
  return { partitions, properties, deletions: async () => null }
}

/** A full cycle with pages of 2, over HTTP, into memory. */
async function cycleOf(options: PartnerOptions, changes: Partial<Partner> = {}) {
  const partner = await partnerFor({ nowMs: () => NOW_MS, ...options })
  const rig = rigAt(partner.baseUrl)
  const order = { cycle: 1, base: -1, since: undefined, driftedBefore: 0 }
  const taken: unknown[] = []
  const ports = { client: rig.client, sender: takingSender(taken), clock: rig.clock, log: recordingLog().log }
  const configured = { ...partnerAt(partner.baseUrl, { page_size: 2 }), ...changes }
  const report = await runCycle(configured, order, ports, new AbortController().signal)
  const offsets = partner.requests.filter(({ feed }) => feed === 'properties').map(({ query }) => query.offset)
  return { report, offsets, taken }
}

const next = (value: unknown): Fault => ({ kind: 'next', next: value })

test.each([
  { name: 'links', shape: {} },
  { name: 'relative links', shape: { next: 'relative-url' } },
  { name: 'markers', shape: { next: 'opaque-marker' } },
  { name: 'no null at the end', shape: { end: 'absent' } },
] as const)('every page is read once and in order, by $name', async ({ shape }) => {
  const { report, taken, offsets } = await cycleOf({ listings: numbered(5), shape })
  expect(report).toMatchObject({ outcome: 'polled', pages: 3, properties: 5, requests: 4, warnings: [] })
  expect(taken).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5'])
  expect(offsets).toHaveLength(3)
})

test.each(['//evil', '/\\evil', 'http://evil', 'http:\\\\evil', 'http://good@evil', 'http://evil#'])(
  'row 12: meta.next is %s: the cycle fails, and nothing is sent there',
  async spelling => {
    const evil = await rawServer(() => {})
    const target = `${spelling.replace('evil', `127.0.0.1:${evil.port}`)}${FEED_PATHS.properties}?offset=2&limit=2`
    const { report, offsets } = await cycleOf({
      listings: numbered(5),
      fault: ({ page }) => (page === 0 ? next(target) : undefined),
    })
    expect(report).toMatchObject({ outcome: 'failed', error_code: 'PARTNER_NEXT_FOREIGN' })
    expect(offsets).toEqual(['0'])
    expect(evil.sockets).toHaveLength(0)
  },
)

test('row 12: a user in the partner’s own address', async () => {
  const fault: PartnerOptions['fault'] = ({ feed }) =>
    feed === 'properties' ? next('//key@localhost/?offset=2') : undefined
  const { report, offsets } = await cycleOf({ listings: numbered(5), fault })
  expect(report).toMatchObject({ outcome: 'failed', error_code: 'PARTNER_NEXT_FOREIGN' })
  expect(offsets).toEqual(['0'])
})

test.each<{ name: string; fault: PartnerOptions['fault']; code: string; asked: string[] }>([
  {
    name: 'A-A',
    fault: ({ page }) => (page === 1 ? next('?offset=2&limit=2') : undefined),
    code: 'PARTNER_NEXT_LOOP',
    asked: ['0', '2'],
  },
  {
    name: 'A-B-A, in markers',
    fault: ({ query }) =>
      query.offset === 'page-2' ? next('page-4') : query.offset === 'page-4' ? next('page-2') : undefined,
    code: 'PARTNER_NEXT_LOOP',
    asked: ['0', 'page-2', 'page-4'],
  },
  {
    name: 'endless growth over the same page',
    fault: ({ feed, page }) =>
      feed === 'properties'
        ? { kind: 'body', body: `{"data":[{"external_id":"A"},{"external_id":"B"}],"meta":{"next":${2 * page + 2}}}` }
        : undefined,
    code: 'PARTNER_NEXT_LOOP',
    asked: ['0', '2'],
  },
])('row 13: $name is stopped', async ({ fault, code, asked }) => {
  const shape = asked.at(-1)!.startsWith('page') ? { next: 'opaque-marker' as const } : {}
  const { report, offsets } = await cycleOf({ listings: numbered(9), shape, ...(fault && { fault }) })
  expect(report).toMatchObject({ outcome: 'failed', error_code: code })
  expect(offsets).toEqual(asked)
})

test('row 13: endless growth over nothing is stopped', async () => {
  const fault: PartnerOptions['fault'] = ({ feed, page }) => (feed === 'properties' ? next(2 * page + 2) : undefined)
  const { report, offsets } = await cycleOf({ fault })
  expect(report).toMatchObject({ outcome: 'failed', error_code: 'PARTNER_PAGES_ENDLESS' })
  expect(offsets).toHaveLength(1_001)
})

test('a page of far more than was asked for is refused whole', async () => {
  const body = JSON.stringify({ data: numbered(101) })
  const { report, taken } = await cycleOf({
    fault: ({ feed }) => (feed === 'properties' ? { kind: 'body', body } : undefined),
  })
  expect(report).toMatchObject({ outcome: 'failed', error_code: 'PARTNER_PAGE_TOO_LONG', properties: 0 })
  expect(taken).toEqual([])
})

test('a link with another limit than ours is followed as ours, and told', async () => {
  const fault: PartnerOptions['fault'] = ({ page, feed }) =>
    feed === 'properties' && page < 2 ? next(`?offset=${2 * page + 2}&limit=100`) : undefined
  const { report, taken } = await cycleOf({ listings: numbered(5), fault })
  expect(report).toMatchObject({ outcome: 'polled', warnings: ['next_differs'] })
  expect(taken).toHaveLength(5)
})

test('a cycle that takes too long fails, whatever the partner does', async () => {
  const fault: PartnerOptions['fault'] = ({ feed }) => (feed === 'properties' ? { kind: 'hang' } : undefined)
  const { report } = await cycleOf({ fault }, { cycle_timeout: 50 })
  expect(report).toMatchObject({ outcome: 'failed', error_code: 'CYCLE_TIMEOUT', next_since: null })
})
