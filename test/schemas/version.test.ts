import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, DELETIONS_PHASE, nextCycle, PROPERTIES_PHASE, type Version } from '../../schemas/version.ts'

const version = (cycle: number, phase: 0 | 1, sequence: number): Version => ({ cycle, phase, sequence })

describe('compareVersions (design section 3.3)', () => {
  test.each([
    { name: 'a later cycle wins over phase and sequence', newer: version(2, 0, 0), older: version(1, 1, 9) },
    {
      name: 'in a cycle the property feed wins over the deletion feed (A6)',
      newer: version(1, PROPERTIES_PHASE, 0),
      older: version(1, DELETIONS_PHASE, 9),
    },
    { name: 'in a feed the later record wins', newer: version(1, 1, 10), older: version(1, 1, 9) },
    {
      name: 'cycles are compared as numbers',
      newer: version(1_790_000_000_001, 0, 0),
      older: version(1_790_000_000_000, 1, 5),
    },
  ])('$name', ({ newer, older }) => {
    expect(compareVersions(newer, older)).toBeGreaterThan(0)
    expect(compareVersions(older, newer)).toBeLessThan(0)
  })

  test('the same record is as old as itself', () => {
    expect(compareVersions(version(5, 1, 3), version(5, 1, 3))).toBe(0)
  })

  test('sorts as a total order', () => {
    const small = fc.record({
      cycle: fc.nat(3),
      phase: fc.constantFrom(0, 1),
      sequence: fc.nat(3),
    }) as fc.Arbitrary<Version>
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
        if (compareVersions(a, b) === 0) expect(a).toEqual(b)
      }),
    )
  })
})

describe('nextCycle', () => {
  test.each([
    { name: 'the first one is now', nowMs: 1_000, last: undefined, next: 1_000 },
    { name: 'now, after an earlier one', nowMs: 1_000, last: 400, next: 1_000 },
    { name: 'now, one millisecond after the last', nowMs: 1_000, last: 999, next: 1_000 },
    { name: 'twice in a millisecond', nowMs: 1_000, last: 1_000, next: 1_001 },
    { name: 'the clock jumped back an hour (fault 23)', nowMs: 1_000, last: 3_601_000, next: 3_601_001 },
    { name: 'a last cycle of 0 is one', nowMs: 0, last: 0, next: 1 },
  ])('$name', ({ nowMs, last, next }) => {
    expect(nextCycle(nowMs, last)).toBe(next)
  })
})
