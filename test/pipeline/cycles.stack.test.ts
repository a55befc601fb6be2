import { beforeAll, expect, test } from 'vitest'
import { sinceText } from '../../schemas/instant.ts'
import { countsOf, ofRoute, shownIn, shownOf } from '../support/catalog-oracle.ts'
import { entries, listing } from '../support/listings.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const SAMPLE = entries(300)
const OVERLAP_MS = 2_000
const MINUTE_MS = 60_000
const wholeSecond = (ms: number) => Math.floor(ms / 1_000) * 1_000
const numbered = (...ids: string[]) => ids.map(external_id => listing({ external_id }))

/** One partner for each test, all polled every second. */
let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await startPipeline({
    partners: {
      first: { listings: SAMPLE.map(entry => entry.listing) },
      living: { listings: numbered('A', 'B', 'C', 'D', 'E', 'F', 'G') },
      'empty-200': { listings: numbered('A'), shape: { emptyAs: '200' } },
      'empty-204': { listings: numbered('A'), shape: { emptyAs: '204' } },
      both: { listings: numbered('A', 'B') },
      broken: {},
      behind: { nowMs: () => Date.now() - 10 * MINUTE_MS },
      ahead: { nowMs: () => Date.now() + 10 * MINUTE_MS },
    },
  })
  return pipeline.close
})

test('a first cycle asks for all, and the catalog shows what the partner has', async () => {
  const cycle = await pipeline.cycleAfter('first')
  expect(cycle).toMatchObject({
    ...{ asked: null, pages: 6, properties: 300, deletions: 0 },
    tally: { ...countsOf(SAMPLE), deactivated: 0 },
  })
  const { requests } = pipeline.partner('first')
  const pages = [0, 50, 100, 150, 200, 250].map(offset => ({ offset: String(offset), limit: '50' }))
  expect(requests.slice(0, 7).map(({ feed, query }) => ({ feed, query }))).toEqual([
    { feed: 'deletions', query: {} },
    ...pages.map(query => ({ feed: 'properties', query })),
  ])

  const rows = await pipeline.catalog('first')
  expect(shownIn(rows)).toEqual(shownOf(SAMPLE))
  const sound = SAMPLE.filter(({ breaks }) => breaks.length === 0)
  for (const { key, sound: sent } of sound) {
    const { price, location, contact } = sent
    const { property_type, modality, photos, amenities, updated_at } = sent
    const typed = { property_type, modality, photos, amenities, updated_at: new Date(updated_at) }
    const { name: contact_name, email: contact_email } = contact
    expect(rows.get(key)).toMatchObject({ ...typed, ...price, ...location, contact_name, contact_email })
  }
})

test('the reasons of a first cycle’s rejected properties stand in the rejected topic, each once', async () => {
  const { cycle } = await pipeline.cycleAfter('first')
  const rejections = await pipeline.view.records('listings.rejected', 'first')
  const told = rejections.filter(rejection => rejection.cycle === cycle)
  expect(told.map(({ body, reasons }) => [body, reasons.map(({ code }) => code)])).toEqual(
    ofRoute(SAMPLE, 'rejected').map(entry => [JSON.stringify(entry.listing), entry.breaks]),
  )
  expect(
    told.every(({ reasons }) => reasons.every(reason => reason.message_es !== '' && reason.message_en !== '')),
  ).toBe(true)
})

test('an incremental cycle brings what changed and takes down what was deleted, and nothing else', async () => {
  await pipeline.cycleAfter('living')
  const priced = listing({ external_id: 'A', price: { sale_price: 5_000_000 } })
  const forSale = listing({ external_id: 'B', modality: 'sale', price: { rent_price: null } })
  const refused = listing({ external_id: 'C', price: { rent_price: null, sale_price: null } })
  const withoutPhotos = listing({ external_id: 'D', photos: [] })
  const added = listing({ external_id: 'NEW' })
  const cycle = await pipeline.cycleWith('living', partner => {
    for (const changed of [priced, forSale, refused, withoutPhotos, added]) partner.put(changed)
    for (const id of ['E', 'F', 'NEVER-SEEN']) partner.delete(id)
  })

  expect(cycle).toMatchObject({
    ...{ asked: expect.any(Number), properties: 5, deletions: 3 },
    tally: { accepted: 3, draft: 1, rejected: 1, deactivated: 2 },
  })
  const rows = await pipeline.catalog('living')
  expect([...rows].map(([id, { status, version }]) => [id, status, version[0] === cycle.cycle])).toEqual([
    ['A', 'published', true],
    ['B', 'published', true],
    ['C', 'published', false],
    ['D', 'draft', true],
    ['E', 'inactive', true],
    ['F', 'inactive', true],
    ['G', 'published', false],
    ['NEVER-SEEN', 'inactive', true],
    ['NEW', 'published', true],
  ])
  expect(rows.get('A')).toMatchObject({ sale_price: 5_000_000, body: priced })
  expect(rows.get('B'), 'a partial deletion is a change').toMatchObject({ modality: 'sale', rent_price: null })
  expect(rows.get('C'), 'the accepted version stays').toMatchObject({
    body: listing({ external_id: 'C' }),
    held_back: { reasons: [{ code: 'price_missing' }] },
  })
})

test.each([
  { partner: 'empty-200', answer: '200 with []' },
  { partner: 'empty-204', answer: '204' },
])('row 10: nothing changed and nothing deleted, said by $answer, is a good cycle', async ({ partner }) => {
  const { since: before } = await pipeline.cycleAfter(partner)
  const cycle = await pipeline.cycle(partner, 4)
  expect(cycle).toMatchObject({ properties: 0, deletions: 0 })
  expect(cycle.since).toBeGreaterThan(before)
  expect(pipeline.events('cycle_failed', partner)).toEqual([])
  const rows = await pipeline.catalog(partner)
  expect([...rows.values()].map(({ status }) => status)).toEqual(['published'])
})

test('row 20: a property in both feeds of a cycle ends up active', async () => {
  await pipeline.cycleAfter('both')
  const { cycle } = await pipeline.cycleWith('both', partner => {
    const nowMs = partner.nowMs()
    partner.put(listing({ external_id: 'A', title: 'still here' }), nowMs)
    partner.deletions.set('A', nowMs - 1) // never alone in an answer: it is the first to be too old
    partner.delete('B', nowMs)
  })
  const deletions = await pipeline.view.records('deletions.raw', 'both')
  expect(deletions.filter(deletion => deletion.cycle === cycle).map(({ external_id }) => external_id)).toEqual([
    'A',
    'B',
  ])
  const rows = await pipeline.catalog('both')
  expect(rows.get('A')).toMatchObject({ status: 'published', body: { title: 'still here' } })
  expect(rows.get('B')).toMatchObject({ status: 'inactive' })
})

test('row 19: an element that is no property is rejected alone', async () => {
  await pipeline.cycleAfter('broken')
  const [good, better] = numbered('A', 'B')
  const { external_id: _, ...nameless } = listing()
  const body = JSON.stringify({ data: [good, 42, null, nameless, 'text', better], meta: { next: null } })
  const { cycle, tally } = await pipeline.cycleWith('broken', partner =>
    partner.fault(({ feed }) => (feed === 'properties' ? { kind: 'body', body } : undefined)),
  )
  expect(tally).toMatchObject({ accepted: 2, draft: 0, rejected: 4 })
  expect([...(await pipeline.catalog('broken')).keys()]).toEqual(['A', 'B'])
  const rejections = (await pipeline.view.records('listings.rejected', 'broken')).filter(told => told.cycle === cycle)
  expect(rejections.map(told => [told.sequence, told.external_id, told.reasons[0]?.code])).toEqual([
    [1, null, 'property_not_an_object'],
    [2, null, 'property_not_an_object'],
    [3, null, 'external_id_missing'],
    [4, null, 'property_not_an_object'],
  ])
})

test('row 22: `since` is the partner’s clock at the first answer, less the overlap, where that clock is behind', async () => {
  await pipeline.cycleAfter('behind')
  let firstAnswerMs = Number.NaN
  const { since } = await pipeline.cycleWith('behind', partner => {
    firstAnswerMs = partner.nowMs()
    partner.nowMs = () => firstAnswerMs
    const run = () => {
      partner.nowMs = () => firstAnswerMs + 5 * MINUTE_MS // five minutes go by over there while we read
    }
    partner.fault(({ feed }) => (feed === 'properties' ? { kind: 'before', run } : undefined))
  })
  expect(since).toBe(wholeSecond(wholeSecond(firstAnswerMs) - OVERLAP_MS)) // `Date` knows whole seconds
})

test('`since` is our start of the cycle, less the overlap, never its end, where the partner’s clock is ahead', async () => {
  await pipeline.cycleAfter('ahead')
  const { requests } = pipeline.partner('ahead')
  let firstRequestMs = Number.NaN
  const { cycle, since } = await pipeline.cycleWith('ahead', partner => {
    firstRequestMs = requests.at(-1)!.atMs
    // Three cycles of another partner: more than a second, so that start and end cannot look alike.
    const run = () => pipeline.cycle('empty-200', 3).then(() => partner.fault(undefined))
    partner.fault(({ feed }) => (feed === 'properties' ? { kind: 'before', run } : undefined))
  })
  expect(since).toBeGreaterThanOrEqual(wholeSecond(cycle - OVERLAP_MS))
  expect(since).toBeLessThanOrEqual(wholeSecond(firstRequestMs - OVERLAP_MS))

  const next = await pipeline.cycle('ahead')
  expect(next.asked).toBeGreaterThanOrEqual(since)
})

test('both feeds are asked from the last checkpoint, in whole seconds and with Z', async () => {
  const { requests } = pipeline.partner('ahead')
  await pipeline.cycle('ahead', 2)
  const told = await pipeline.view.records('cycle-reports', 'ahead')
  const cycles = told.filter(({ outcome }) => outcome === 'polled' || outcome === 'failed')
  const markers = await pipeline.view.markers('ahead')
  expect(cycles.map(({ since }) => since)).toEqual(
    cycles.map(({ base }) => (base < 1 ? null : markers[base - 1]!.marker.since)),
  )
  const asked = cycles.map(({ since }) => (since === null ? undefined : sinceText(since)))
  expect(asked.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const [deletions, properties] = (['deletions', 'properties'] as const).map(name =>
    requests.filter(({ feed }) => feed === name).slice(0, cycles.length),
  )
  expect(deletions!.map(({ query }) => query.since)).toEqual(asked)
  expect(properties!.map(({ query }) => query.updated_since)).toEqual(asked)
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
