import { describe, expect, test } from 'vitest'
import { type Fault, fakeClock, HOUR_MS, NOW_MS, partnerFor, rigAt } from './rig.ts'

const always = (fault: Fault) => () => fault

describe('429 and 503: wait, within the cycle’s budget (row 6, row 7)', () => {
  const refusing = (times: number, headers: Record<string, string | null>, status = 429, body?: unknown) => {
    let left = times
    return (): Fault | undefined =>
      left-- > 0 ? { kind: 'status', status, headers, ...(body === undefined ? {} : { body }) } : undefined
  }

  test.each([
    { name: 'seconds', retryAfter: '7', slept: [7_000] },
    { name: 'a date, by the partner’s own clock', retryAfter: 'Thu, 15 Jan 2026 13:00:30 GMT', slept: [30_000] },
    { name: 'zero', retryAfter: '0', slept: [1_000] },
    { name: 'a date that is past', retryAfter: 'Thu, 15 Jan 2026 12:00:00 GMT', slept: [1_000] },
    { name: 'negative', retryAfter: '-7', slept: [1_000] },
    { name: 'garbage', retryAfter: 'tomorrow', slept: [1_000] },
    { name: 'absent', retryAfter: null, slept: [1_000] },
  ])('row 6: Retry-After is $name', async ({ retryAfter, slept }) => {
    const partner = await partnerFor({ nowMs: () => NOW_MS + HOUR_MS }) // its clock is an hour ahead of ours
    partner.fault(refusing(1, { 'retry-after': retryAfter }))
    const rig = rigAt(partner.baseUrl)
    expect(await rig.read()).toMatchObject({ status: 200 })
    expect(rig.clock.slept).toEqual(slept)
    expect(rig.budget).toMatchObject({ requests: 2, waitedMs: slept[0] })
    expect(rig.lines.map(line => JSON.parse(line))).toMatchObject([
      { event: 'partner_busy', partner: 'acme', feed: 'properties', status: 429, waitMs: slept[0] },
    ])
  })

  test.each(['86400', '601', '9'.repeat(400), 'Thu, 15 Jan 2026 12:10:01 GMT'])(
    'row 6: Retry-After %s is longer than a cycle may wait: it fails at once',
    async retryAfter => {
      const partner = await partnerFor({ nowMs: () => NOW_MS, fault: refusing(9, { 'retry-after': retryAfter }) })
      const rig = rigAt(partner.baseUrl)
      expect(await rig.failure()).toMatchObject({ code: 'PARTNER_BUSY', context: { status: 429 } })
      expect(rig.clock.slept).toEqual([])
      expect(partner.requests).toHaveLength(1)
    },
  )

  test('row 6: the budget is the cycle’s, not the request’s', async () => {
    const partner = await partnerFor({ fault: refusing(1, { 'retry-after': '400' }) })
    const rig = rigAt(partner.baseUrl)
    await rig.read('deletions', {})
    partner.fault(refusing(1, { 'retry-after': '201' }))
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_BUSY' })
    expect(rig.clock.slept).toEqual([400_000])
  })

  test('row 6: for ever without a word: longer and longer pauses, then it fails', async () => {
    const partner = await partnerFor({ fault: always({ kind: 'status', status: 429 }) })
    const rig = rigAt(partner.baseUrl)
    expect(await rig.failure()).toMatchObject({ code: 'PARTNER_BUSY' })
    expect(rig.clock.slept.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map(seconds => seconds * 1_000))
    expect(rig.clock.slept.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(600_000)
  })

  test('row 7: 503 with an HTML body', async () => {
    const html = `<html><h1>Mantenimiento</h1>${'x'.repeat(100_000)}</html>`
    const partner = await partnerFor({ fault: refusing(1, { 'retry-after': '700' }, 503, html) })
    const failure = await rigAt(partner.baseUrl).failure()
    expect(failure).toMatchObject({ code: 'PARTNER_BUSY', context: { status: 503 } })
    expect(failure.message).not.toContain('Mantenimiento')
    partner.fault(refusing(1, {}, 503, html))
    expect(await rigAt(partner.baseUrl).read()).toMatchObject({ status: 200 })
  })

  test('a stop ends the wait', async () => {
    const stop = new AbortController()
    const partner = await partnerFor({ fault: refusing(1, { 'retry-after': '7' }) })
    const sleep = async () => {
      stop.abort()
      stop.signal.throwIfAborted()
    }
    const rig = rigAt(partner.baseUrl, { stop: stop.signal, clock: { ...fakeClock(), sleep } })
    expect(await rig.failure()).toMatchObject({ code: 'CYCLE_STOPPED' })
    expect(partner.requests).toHaveLength(1)
  })

  test('RateLimit headers slow the next request down before the partner has to refuse it', async () => {
    const partner = await partnerFor({ nowMs: () => NOW_MS })
    const rig = rigAt(partner.baseUrl)
    const told = (headers: Record<string, string>) => partner.fault(always({ kind: 'headers', headers }))
    told({ ratelimit: '"default";r=4;t=30' })
    await rig.read()
    expect(rig.clock.slept, 'not yet: it is the next one that waits').toEqual([])
    told({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW_MS / 1_000 + 20) })
    await rig.read()
    told({ 'ratelimit-remaining': '50', 'ratelimit-reset': '60' })
    await rig.read()
    await rig.read()
    expect(rig.clock.slept).toEqual([6_000, 20_000])
    expect(rig.budget).toMatchObject({ waitedMs: 26_000, waitMs: 600_000 })
  })
})
