import { describe, expect, test } from 'vitest'
import { stateOf } from '../../operations/status.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 0, 31)

describe('stateOf', () => {
  test.each([
    { name: 'no checkpoint yet', last: undefined, state: 'new' },
    { name: 'just now', last: NOW, state: 'current' },
    { name: 'an interval ago', last: NOW - HOUR_MS, state: 'current' },
    { name: 'three intervals ago', last: NOW - 3 * HOUR_MS, state: 'current' },
    { name: 'a millisecond more', last: NOW - 3 * HOUR_MS - 1, state: 'late' },
    { name: 'days ago', last: NOW - 100 * HOUR_MS, state: 'late' },
    { name: 'a cycle id ahead of a clock that jumped back', last: NOW + HOUR_MS, state: 'current' },
    { name: 'a cycle of the year 1970 is one', last: 0, state: 'late' },
  ])('$name: $state', ({ last, state }) => {
    expect(stateOf(last, HOUR_MS, NOW)).toBe(state)
  })

  test('an interval is the partner’s own', () => {
    expect(stateOf(NOW - 2 * HOUR_MS, 60_000, NOW)).toBe('late')
    expect(stateOf(NOW - 2 * HOUR_MS, 24 * HOUR_MS, NOW)).toBe('current')
  })
})
