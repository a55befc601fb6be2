import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outcomeOf, type StatusOutcome, waitMs } from '../../../connectors/crm-source/statuses.ts'

describe('outcomeOf (contract 7)', () => {
  test.each<{ name: string; statuses: number[]; outcome: StatusOutcome }>([
    { name: 'success', statuses: [200], outcome: 'read' },
    { name: 'an empty feed', statuses: [204], outcome: 'empty' },
    { name: 'an invalid parameter, never to be left out', statuses: [400], outcome: 'fail' },
    { name: 'an invalid credential', statuses: [401, 403], outcome: 'fail-auth' },
    { name: 'rate limit and maintenance', statuses: [429, 503], outcome: 'wait' },
    {
      name: 'a fault of the partner fails the cycle at once (A7)',
      statuses: [500, 501, 502, 504, 599],
      outcome: 'fail',
    },
    {
      name: 'a redirect is never followed (S1)',
      statuses: [300, 301, 302, 303, 304, 307, 308, 399],
      outcome: 'fail-redirect',
    },
    {
      name: 'what nobody listed fails: that can never move `since`',
      statuses: [100, 199, 201, 202, 206, 299, 402, 404, 410, 418, 600],
      outcome: 'fail',
    },
  ])('$name: $outcome', ({ statuses, outcome }) => {
    expect(statuses.map(outcomeOf)).toEqual(statuses.map(() => outcome))
  })

  test('only 200 and 204 let a cycle go on as if all had been said', () => {
    const good = Array.from({ length: 1_000 }, (_, status) => status).filter(status =>
      /read|empty/.test(outcomeOf(status)),
    )
    expect(good).toEqual([200, 204])
  })
})

const NOW = Date.UTC(2026, 0, 31, 12)

describe('waitMs', () => {
  test.each([
    { name: 'seconds', retryAfter: '7', ms: 7_000 },
    { name: 'blanks around them', retryAfter: ' 7 ', ms: 7_000 },
    { name: 'one second', retryAfter: '1', ms: 1_000 },
    { name: 'more than a cycle may wait is not shortened: the cycle must fail', retryAfter: '86400', ms: 86_400_000 },
    { name: 'a date', retryAfter: 'Sat, 31 Jan 2026 12:00:30 GMT', ms: 30_000 },
    { name: 'too many digits to count', retryAfter: '9'.repeat(400), ms: Number.POSITIVE_INFINITY },
  ])('what the partner asked for, in full: $name', ({ retryAfter, ms }) => {
    expect(waitMs(retryAfter, 3, NOW, 0.5)).toBe(ms)
  })

  test.each(['0', '00', 'Sat, 31 Jan 2026 12:00:00 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT'])(
    'Retry-After %j is a second all the same: waits of nothing would never use up the cycle’s budget (fault 6)',
    retryAfter => {
      expect(waitMs(retryAfter, 0, NOW, 0)).toBe(1_000)
    },
  )

  test.each([
    ...[undefined, '', 'soon', '5s', '1e3', '0x10', '٧', '-5', '1.5', '7, 7'],
    ...['Fri, 31 Jan 2026 12:00:30 GMT', 'Sat, 31 Jan 2026 12:00:30', '2026-01-31T12:00:30Z', '31 Jan 2026'],
  ])('%j says nothing: our own pause', retryAfter => {
    expect(waitMs(retryAfter, 2, NOW, 1)).toBe(4_000)
  })

  test.each([
    { name: 'the first one, at most', attempt: 0, chance: 1, ms: 1_000 },
    { name: 'the first one, at least', attempt: 0, chance: 0, ms: 500 },
    { name: 'the second one doubles', attempt: 1, chance: 1, ms: 2_000 },
    { name: 'the sixth', attempt: 5, chance: 1, ms: 32_000 },
    { name: 'the seventh is cut to a minute', attempt: 6, chance: 1, ms: 60_000 },
    { name: 'jitter of half of it', attempt: 6, chance: 0.5, ms: 45_000 },
    { name: 'however many there were', attempt: 5_000, chance: 0, ms: 30_000 },
  ])('our own pause: $name', ({ attempt, chance, ms }) => {
    expect(waitMs(undefined, attempt, NOW, chance)).toBe(ms)
  })

  test('is never nothing and never less than nothing, whatever the header holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.date({ noInvalidDate: true }).map(String)),
        fc.nat(20),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (header, attempt, chance) => {
          expect(waitMs(header, attempt, NOW, chance)).toBeGreaterThanOrEqual(500)
        },
      ),
    )
  })
})
