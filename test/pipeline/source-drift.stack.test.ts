import { beforeAll, expect, test } from 'vitest'
import { expectSoundLives } from '../support/cycle-lives.ts'
import { listing } from '../support/listings.ts'
import type { FaultScript, TestPartner } from '../support/partner.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const IDS = Array.from({ length: 150 }, (_, index) => `P-${index}`)
const titled = (title: string, ids = IDS) => ids.map(external_id => listing({ external_id, title }))
/** One element, and a total that was never true. */
const WRONG_TOTAL = { data: titled('counted wrong', ['P-0']), meta: { next: null, total_count: 7 } }

/** A partner for each test, polled every second, in pages of 50. */
let pipeline: Pipeline
beforeAll(async () => {
  const plan = { listings: titled('as it was') }
  const body = JSON.stringify(WRONG_TOTAL)
  const fault: FaultScript = ({ feed }) => (feed === 'properties' ? { kind: 'body', body } : undefined)
  const partners = {
    deleted: plan,
    moved: { ...plan, shape: { totalCount: false } },
    stubborn: plan,
    counting: { fault },
  }
  pipeline = await startPipeline({ partners })
  return pipeline.close
})

/** Between the first page and the second one, in every crawl or in so many. */
function changeBetweenPages(
  partner: TestPartner,
  change: (crawl: number) => void,
  crawls = Number.POSITIVE_INFINITY,
): void {
  let crawl = 0
  partner.fault(({ feed, page }) => {
    if (feed !== 'properties' || page !== 1 || crawl >= crawls) return undefined
    return { kind: 'before', run: () => change(crawl++) }
  })
}

const warningsOf = async (id: string, cycle: number) =>
  (await expectSoundLives(pipeline, id)).find(life => life.cycle === cycle)?.end?.warnings

test.each([
  {
    id: 'deleted',
    what: 'a row taken out of the first page, so that another one slides past',
    change: (partner: TestPartner) => partner.delete('P-0'),
    inFeed: IDS.slice(1),
    counts: { pages: 6, properties: 50 + 50 + 49 + 149 },
  },
  {
    id: 'moved',
    what: 'a row that comes into the first page, so that another one comes twice, and nobody counts them',
    change: (partner: TestPartner) => partner.put(titled('as it is', ['P-0'])[0]!),
    inFeed: IDS,
    counts: { pages: 6, properties: 50 + 50 + 50 + 150 },
  },
])('row 14: $what, is crawled again in the same cycle', async ({ id, change, inFeed, counts }) => {
  await pipeline.cycleAfter(id)
  const partner = pipeline.partner(id)
  const { cycle, ...told } = await pipeline.cycleWith(id, () => {
    for (const property of titled('as it is', id === 'moved' ? IDS.slice(1) : IDS)) partner.put(property)
    changeBetweenPages(partner, () => change(partner), 1)
  })
  expect(told).toMatchObject(counts)
  expect(await warningsOf(id, cycle)).toEqual(['feed_drifted'])
  const offsets = partner.requests.filter(({ feed, atMs }) => feed === 'properties' && atMs >= cycle)
  expect(offsets.slice(0, 6).map(({ query }) => query.offset)).toEqual(['0', '50', '100', '0', '50', '100'])
  expect(pipeline.events('cycle_failed', id)).toEqual([])

  await pipeline.cycle(id)
  const rows = await pipeline.catalog(id)
  expect(inFeed.map(external_id => rows.get(external_id)?.body)).toEqual(titled('as it is', inFeed))
  expect(rows.get('P-0')?.status).toBe(inFeed.includes('P-0') ? 'published' : 'inactive')
})

test('row 14: drift in both crawls fails the cycle though its data are published; the fourth in a row is accepted', async () => {
  const id = 'stubborn'
  await pipeline.cycleAfter(id)
  const partner = pipeline.partner(id)
  const held = await pipeline.hold(id)
  const { since } = (await pipeline.view.since(id)).metadata!
  for (const property of titled('as it is')) partner.put(property)
  changeBetweenPages(partner, crawl => partner.delete(`P-${crawl}`))
  const first = pipeline.next('cycle_failed', id)
  held.release()

  const cycle = (await first).cycle as number
  expect((await pipeline.view.since(id)).metadata!.since).toBe(since)
  await pipeline.view.caughtUp('validator', 'properties.raw')
  await pipeline.view.caughtUp('catalog', 'listings.accepted')
  const published = [...(await pipeline.catalog(id)).values()].map(({ body }) => (body as { title: string }).title)
  expect(published.filter(title => title === 'as it is').length).toBeGreaterThan(140)

  const accepted = await pipeline.cycleAfter(id, cycle)
  partner.fault(undefined)
  expect(accepted.asked).toBe(since)
  expect(await warningsOf(id, accepted.cycle)).toEqual(['feed_drifted'])
  const failed = pipeline.events('cycle_failed', id)
  expect(failed.map(({ code }) => code)).toEqual(['PARTNER_DRIFT', 'PARTNER_DRIFT', 'PARTNER_DRIFT'])
  const lives = await expectSoundLives(pipeline, id)
  const drifted = lives.filter(({ end }) => end?.drift).map(({ end }) => [end!.outcome, end!.since])
  expect(drifted).toEqual([...failed.map(() => ['failed', since]), ['polled', since]])

  await pipeline.cycle(id)
  changeBetweenPages(partner, crawl => partner.delete(`P-${20 + crawl}`))
  for (const property of titled('as it will be', IDS.slice(20))) partner.put(property)
  expect((await pipeline.next('cycle_failed', id)).code, 'after one without drift it counts anew').toBe('PARTNER_DRIFT')
})

test('row 15: a total that is never true fails three cycles; then they are accepted, with a warning each', async () => {
  const first = await pipeline.cycleAfter('counting')
  const second = await pipeline.cycleAfter('counting', first.cycle)
  const failed = pipeline.events('cycle_failed', 'counting')
  expect(failed.map(({ code }) => code)).toEqual(['PARTNER_DRIFT', 'PARTNER_DRIFT', 'PARTNER_DRIFT'])
  expect([first.asked, second.asked]).toEqual([null, first.since])
  for (const { cycle } of [first, second]) expect(await warningsOf('counting', cycle)).toEqual(['feed_drifted'])
  expect((await pipeline.catalog('counting')).get('P-0')).toMatchObject({ status: 'published' })
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
