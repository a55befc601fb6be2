import { describe, expect, test } from 'vitest'
import {
  type CycleStart,
  cycleStart,
  SINCE_MAX_AGE_MS,
  type SinceFacts,
  startFrom,
} from '../../../connectors/crm-source/start.ts'
import { NO_BASE } from '../../../schemas/records/cycle-report.ts'

const NOW = Date.UTC(2026, 0, 31)
const MARKER = { since: NOW - 3_600_000, cycle: NOW - 3_500_000 }
const incremental = (base: number): CycleStart => ({
  kind: 'incremental',
  base,
  since: MARKER.since,
  lastCycle: MARKER.cycle,
})
const full = (base: number, why: 'first' | 'reset'): CycleStart => ({ kind: 'full', base, why, lastCycle: undefined })

describe('cycleStart (design section 3.2)', () => {
  test.each<{ name: string; facts: SinceFacts; start: CycleStart }>([
    {
      name: 'nothing was ever committed and there is no marker: a first cycle',
      facts: { offset: NO_BASE, metadata: null, low: 0, high: 0 },
      start: full(NO_BASE, 'first'),
    },
    {
      name: 'no commit, but a marker: an expired offset is never a first cycle (fault 40)',
      facts: { offset: NO_BASE, metadata: null, low: 0, high: 1 },
      start: { kind: 'recommit', offset: 1, why: 'lost' },
    },
    {
      name: 'no commit, several markers: behind the last one',
      facts: { offset: NO_BASE, metadata: null, low: 2, high: 7 },
      start: { kind: 'recommit', offset: 7, why: 'lost' },
    },
    {
      name: 'no commit, all markers gone',
      facts: { offset: NO_BASE, metadata: null, low: 7, high: 7 },
      start: full(NO_BASE, 'first'),
    },
    { name: 'our commit', facts: { offset: 5, metadata: MARKER, low: 0, high: 5 }, start: incremental(5) },
    {
      name: 'our commit behind the first marker',
      facts: { offset: 1, metadata: MARKER, low: 0, high: 1 },
      start: incremental(1),
    },
    {
      name: 'our commit before a marker that was not committed',
      facts: { offset: 5, metadata: MARKER, low: 0, high: 6 },
      start: incremental(5),
    },
    {
      name: 'an operator’s reset clears the metadata: the marker tells',
      facts: { offset: 3, metadata: null, low: 0, high: 5 },
      start: { kind: 'read-marker', base: 3, offset: 2 },
    },
    {
      name: 'a reset to the end',
      facts: { offset: 5, metadata: null, low: 0, high: 5 },
      start: { kind: 'read-marker', base: 5, offset: 4 },
    },
    {
      name: '--to-earliest: all is polled (fault 42)',
      facts: { offset: 0, metadata: null, low: 0, high: 5 },
      start: full(0, 'reset'),
    },
    {
      name: '--to-earliest of a log that starts later',
      facts: { offset: 2, metadata: null, low: 2, high: 5 },
      start: full(2, 'reset'),
    },
    {
      name: 'one marker after the start of the log',
      facts: { offset: 3, metadata: null, low: 2, high: 5 },
      start: { kind: 'read-marker', base: 3, offset: 2 },
    },
    {
      name: 'before the start of the log',
      facts: { offset: 1, metadata: MARKER, low: 2, high: 5 },
      start: full(1, 'reset'),
    },
    {
      name: 'a commit of 0 on an empty log',
      facts: { offset: 0, metadata: null, low: 0, high: 0 },
      start: full(0, 'reset'),
    },
    {
      name: 'past the end by one: clamped',
      facts: { offset: 6, metadata: MARKER, low: 0, high: 5 },
      start: { kind: 'recommit', offset: 5, why: 'past-end' },
    },
    {
      name: 'offset 99 (fault 42)',
      facts: { offset: 99, metadata: null, low: 0, high: 5 },
      start: { kind: 'recommit', offset: 5, why: 'past-end' },
    },
    {
      name: 'the topic was made anew (fault 39)',
      facts: { offset: 5, metadata: MARKER, low: 0, high: 0 },
      start: { kind: 'recommit', offset: 0, why: 'past-end' },
    },
  ])('$name', ({ facts, start }) => {
    expect(cycleStart(facts, NOW)).toEqual(start)
  })

  test.each([
    { name: 'a lost commit', facts: { offset: NO_BASE, metadata: null, low: 0, high: 4 } },
    { name: 'a commit past the end', facts: { offset: 9, metadata: MARKER, low: 0, high: 4 } },
    {
      name: 'a commit past the end of a log that was emptied',
      facts: { offset: 9, metadata: MARKER, low: 4, high: 4 },
    },
    { name: 'a commit past the end of a log made anew', facts: { offset: 9, metadata: null, low: 0, high: 0 } },
  ])('$name: what is committed again leads to a poll and not to another commit', ({ facts }) => {
    const start = cycleStart(facts, NOW)
    if (start.kind !== 'recommit') throw new Error(start.kind)
    const again = cycleStart(
      { ...facts, offset: start.offset, metadata: start.offset > facts.low ? MARKER : null },
      NOW,
    )
    expect(['full', 'incremental']).toContain(again.kind)
  })
})

describe('startFrom', () => {
  const DAY_MS = 86_400_000
  const from = (ageMs: number): CycleStart => startFrom(5, { since: NOW - ageMs, cycle: 7 }, NOW)

  test('the limit leaves two days of the partner’s 30 for deletions (contract 8)', () => {
    expect(SINCE_MAX_AGE_MS).toBe(28 * DAY_MS)
  })

  test.each([
    { name: 'an hour', ageMs: 3_600_000, kind: 'incremental' },
    { name: '28 days', ageMs: 28 * DAY_MS, kind: 'incremental' },
    { name: 'a millisecond more', ageMs: 28 * DAY_MS + 1, kind: 'full' },
    { name: '31 days', ageMs: 31 * DAY_MS, kind: 'full' },
    { name: 'a `since` to come, after our clock jumped back', ageMs: -3_600_000, kind: 'incremental' },
  ])('$name old: $kind', ({ ageMs, kind }) => {
    expect(from(ageMs)).toMatchObject({ kind, base: 5, lastCycle: 7 })
  })

  test('an aged one says so, and asks both feeds for all', () => {
    expect(from(29 * DAY_MS)).toEqual({ kind: 'full', base: 5, why: 'aged', lastCycle: 7 })
  })

  test('metadata and marker give the same start', () => {
    expect(startFrom(5, MARKER, NOW)).toEqual(cycleStart({ offset: 5, metadata: MARKER, low: 0, high: 5 }, NOW))
  })
})
