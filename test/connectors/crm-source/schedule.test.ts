import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextPollMs, phaseOf } from '../../../connectors/crm-source/schedule.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** A full hour; the partner of these cases is polled ten minutes past each. */
const HOUR = Date.UTC(2026, 0, 31, 12)
const PHASE_MS = 10 * MINUTE_MS
const at = (minutes: number): number => HOUR + minutes * MINUTE_MS

describe('nextPollMs', () => {
  test.each<{ name: string; last: number | undefined; now: number; next: number }>([
    { name: 'never polled: now', last: undefined, now: at(3), next: at(3) },
    { name: 'polled at its slot: the next slot', last: at(10), now: at(11), next: at(70) },
    { name: 'polled a little late', last: at(11), now: at(12), next: at(70) },
    { name: 'polled half an interval before the slot: it counts', last: at(40), now: at(41), next: at(70) },
    { name: 'a millisecond later: it is left out', last: at(40) + 1, now: at(41), next: at(130) },
    { name: 'polled just before the slot: it is left out', last: at(69), now: at(70), next: at(130) },
    { name: 'the slot is now', last: at(10), now: at(70), next: at(70) },
    { name: 'the slot has just passed: now', last: at(10), now: at(71), next: at(71) },
    { name: 'days were missed: once, now', last: at(-3_000), now: at(3), next: at(3) },
    { name: 'the last one began now', last: at(10), now: at(10), next: at(70) },
    { name: 'the clock jumped back behind the last one: now (fault 23)', last: at(10), now: at(9), next: at(9) },
  ])('$name', ({ last, now, next }) => {
    expect(nextPollMs(HOUR_MS, PHASE_MS, last, now)).toBe(next)
  })

  const interval = fc.integer({ min: 1_000, max: 7 * 24 * HOUR_MS })
  const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })

  test('is now, or a slot half an interval to one and a half after the last start', () => {
    fc.assert(
      fc.property(interval, fc.nat(), instant, fc.nat({ max: 14 * 24 * HOUR_MS }), (everyMs, phase, last, waited) => {
        const phaseMs = phase % everyMs
        const next = nextPollMs(everyMs, phaseMs, last, last + waited)
        expect(next).toBeGreaterThanOrEqual(last + waited)
        if (next === last + waited) return
        expect((next - phaseMs) % everyMs).toBe(0)
        expect(next - last).toBeGreaterThanOrEqual(everyMs / 2)
        expect(next - last).toBeLessThan(everyMs * 1.5)
      }),
    )
  })

  test('does not move while one waits for it', () => {
    fc.assert(
      fc.property(
        interval,
        fc.nat(),
        instant,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (everyMs, phase, last, share) => {
          const next = nextPollMs(everyMs, phase % everyMs, last, last)
          const meanwhile = last + Math.floor((next - last) * share)
          expect(nextPollMs(everyMs, phase % everyMs, last, meanwhile)).toBe(next)
        },
      ),
    )
  })
})

describe('phaseOf', () => {
  test('is the partner’s own, for ever: a new version must not make all partners poll again at once', () => {
    expect(phaseOf('acme', HOUR_MS)).toBe(ACME_OF_AN_HOUR)
    expect(phaseOf('acme', 1_000)).toBe(357)
  })

  test('lies within the interval', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9-]{1,40}$/),
        fc.integer({ min: 1, max: 7 * 24 * HOUR_MS }),
        (partner, everyMs) => {
          const phaseMs = phaseOf(partner, everyMs)
          expect(Number.isInteger(phaseMs)).toBe(true)
          expect(phaseMs).toBeGreaterThanOrEqual(0)
          expect(phaseMs).toBeLessThan(everyMs)
        },
      ),
    )
  })

  test('spreads partners over the interval', () => {
    const quarters = [0, 0, 0, 0]
    for (let number = 0; number < 1_000; number++)
      quarters[Math.floor((phaseOf(`partner-${number}`, HOUR_MS) * 4) / HOUR_MS)]!++
    for (const partners of quarters) expect(partners).toBeGreaterThan(200)
  })
})

/** First four bytes of the SHA-256 of `acme`, as a number, within an hour. */
const ACME_OF_AN_HOUR = 2_269_357
