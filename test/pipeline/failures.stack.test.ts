import { beforeAll, expect, test } from 'vitest'
import { shownIn, shownOf } from '../support/catalog-oracle.ts'
import { entries, listing } from '../support/listings.ts'
import type { Fault, FaultScript } from '../support/partner.ts'
import { type Pipeline, startPipeline } from '../support/pipeline.ts'

const SAMPLE = entries(150)

/** Properties come in pages of 50, numbered from 0. */
const onPage =
  (page: number, fault: Fault): FaultScript =>
  moment =>
    moment.feed === 'properties' && moment.page === page ? fault : undefined
const onDeletions =
  (fault: Fault): FaultScript =>
  ({ feed }) =>
    feed === 'deletions' ? fault : undefined
const elsewhere = { location: 'https://elsewhere.example/api/v1/marketplace/properties' }

const FAULTS = [
  { row: 2, what: 'HTTP 500 on page 3', script: onPage(2, { kind: 'status', status: 500 }), code: 'PARTNER_STATUS' },
  { row: 3, what: 'no answer in time', script: onPage(1, { kind: 'hang' }), code: 'PARTNER_TIMEOUT' },
  {
    row: 5,
    what: 'JSON that ends in the middle',
    script: onPage(1, { kind: 'truncate', bytes: 9_000 }),
    code: 'PARTNER_BODY_UNREADABLE',
  },
  {
    row: 5,
    what: 'a connection reset in the middle',
    script: onPage(1, { kind: 'reset', bytes: 9_000 }),
    code: 'PARTNER_UNREACHABLE',
  },
  { row: 8, what: 'HTTP 401', script: onDeletions({ kind: 'status', status: 401 }), code: 'PARTNER_AUTH' },
  { row: 9, what: 'HTTP 400', script: onPage(0, { kind: 'status', status: 400 }), code: 'PARTNER_STATUS' },
  {
    row: 11,
    what: 'a redirect',
    script: onPage(0, { kind: 'status', status: 302, headers: elsewhere }),
    code: 'PARTNER_REDIRECT',
  },
  {
    row: 12,
    what: 'a next page elsewhere',
    script: onPage(0, { kind: 'next', next: `${elsewhere.location}?offset=50&limit=50` }),
    code: 'PARTNER_NEXT_FOREIGN',
  },
  {
    row: 18,
    what: 'a deletion answer without deleted_ids',
    script: onDeletions({ kind: 'body', body: '{"since":null,"generated_at":null}' }),
    code: 'PARTNER_ENVELOPE',
  },
].map((fault, index) => ({ ...fault, id: `fault-${index}` }))

/** One partner for each test, all polled every second. */
let pipeline: Pipeline
beforeAll(async () => {
  const plan = { listings: [listing({ external_id: 'OLD' })], requestTimeout: '1s' }
  pipeline = await startPipeline({
    partners: {
      ...Object.fromEntries(FAULTS.map(({ id }) => [id, plan])),
      half: plan,
      gone: plan,
      stuck: { ...plan, requestTimeout: '300s', fault: () => ({ kind: 'hang' }) },
      healthy: plan,
    },
  })
  return pipeline.close
})

test.concurrent.each(FAULTS)(
  'row $row: $what fails the cycle, and the next one asks from the same date',
  async ({ id, script, code }) => {
    await pipeline.cycleAfter(id)
    const partner = pipeline.partner(id)
    partner.fault(script)
    for (const entry of SAMPLE) partner.put(entry.listing)
    partner.delete('OLD')

    const failed = await pipeline.next('cycle_failed', id)
    const since = await pipeline.view.since(id)
    const again = await pipeline.next('cycle_failed', id)
    expect([failed.code, again.code]).toEqual([code, code])
    expect(await pipeline.view.since(id)).toEqual(since)
    const asked = [failed, again].map(
      ({ cycle }) => pipeline.events('cycle_started', id).find(started => started.cycle === cycle)?.since,
    )
    expect(asked).toEqual([since.metadata!.since, since.metadata!.since])

    partner.fault(undefined)
    expect(await pipeline.cycleAfter(id, again.cycle as number)).toMatchObject({
      asked: since.metadata!.since,
      properties: 150,
      deletions: 1,
    })
    const { OLD, ...rows } = Object.fromEntries(shownIn(await pipeline.catalog(id)))
    expect(OLD).toMatchObject({ status: 'inactive' })
    expect(new Map(Object.entries(rows))).toEqual(shownOf(SAMPLE))
  },
)

test('row 2: what a failed cycle did read stays, it is valid', async () => {
  await pipeline.cycleAfter('half')
  const partner = pipeline.partner('half')
  partner.fault(onPage(2, { kind: 'status', status: 500 }))
  for (const entry of SAMPLE) partner.put(entry.listing)
  await pipeline.next('cycle_failed', 'half')
  await pipeline.view.caughtUp('validator', 'properties.raw')
  await pipeline.view.caughtUp('catalog', 'listings.accepted')
  await pipeline.view.caughtUp('catalog', 'listings.draft')
  const { OLD, ...rows } = Object.fromEntries(shownIn(await pipeline.catalog('half')))
  expect(OLD).toMatchObject({ status: 'published' })
  expect(new Map(Object.entries(rows))).toEqual(shownOf(SAMPLE.slice(0, 100)))
})

test('row 1, row 62: partners that are gone or never answer delay nobody', async () => {
  const partner = pipeline.partner('gone')
  await pipeline.cycleAfter('gone')
  await partner.close()
  const refused = await pipeline.next('cycle_failed', 'gone')
  expect(refused.code).toBe('PARTNER_UNREACHABLE')

  const beganMs = Date.now()
  await pipeline.cycle('healthy', 4)
  expect(Date.now() - beganMs).toBeLessThan(20_000)
  expect(pipeline.partner('stuck').requests, 'still the first request').toHaveLength(1)
  expect(pipeline.events('cycle_failed', 'healthy')).toEqual([])
})

test('S6: no log line holds a credential', () => {
  const keys = FAULTS.map(({ id }) => pipeline.partner(id).apiKey)
  const told = JSON.stringify(pipeline.log.events)
  expect(keys.filter(key => told.includes(key))).toEqual([])
})

test('nothing went to the dead letters', async () => {
  expect(await pipeline.view.deadLetters()).toEqual([])
})
