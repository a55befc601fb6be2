import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextSince } from '../../../connectors/crm-source/cycle.ts'

const START = Date.UTC(2026, 0, 31, 12)
const OVERLAP_MS = 300_000

describe('nextSince (design section 3.5, A5; trap S10)', () => {
  test.each([
    { name: 'the start less the overlap', started: START, partner: START, since: START - OVERLAP_MS },
    {
      name: 'the partner says no date: our clock alone',
      started: START,
      partner: undefined,
      since: START - OVERLAP_MS,
    },
    {
      name: 'the partner’s clock is behind (fault 22)',
      started: START,
      partner: START - 600_000,
      since: START - 600_000 - OVERLAP_MS,
    },
    {
      name: 'the partner’s clock is ahead: ours counts',
      started: START,
      partner: START + 600_000,
      since: START - OVERLAP_MS,
    },
    { name: 'whole seconds, rounded down', started: START + 999, partner: undefined, since: START - OVERLAP_MS },
    {
      name: 'a `Date` has whole seconds: it is behind by up to one',
      started: START + 999,
      partner: START,
      since: START - OVERLAP_MS,
    },
    { name: 'a partner’s clock that starts at the epoch', started: START, partner: 0, since: -OVERLAP_MS },
  ])('$name', ({ started, partner, since }) => {
    expect(nextSince(started, partner, OVERLAP_MS)).toBe(since)
  })

  test('without overlap it is the second in which the cycle started', () => {
    expect(nextSince(START + 1, undefined, 0)).toBe(START)
  })

  test('never lies after either clock’s start, and never more than a second before it less the overlap', () => {
    const ms = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })
    fc.assert(
      fc.property(
        ms,
        fc.option(ms, { nil: undefined }),
        fc.nat({ max: 7 * 86_400_000 }),
        (started, partner, overlap) => {
          const since = nextSince(started, partner, overlap)
          const earlier = Math.min(started, partner ?? started)
          expect(since % 1_000).toBe(0)
          expect(since).toBeLessThanOrEqual(earlier - overlap)
          expect(since).toBeGreaterThan(earlier - overlap - 1_000)
        },
      ),
    )
  })
})
