import { describe, expect, test } from 'vitest'
import { failureOf, type PartnerFacts, partnerState } from '../../operations/partner-state.ts'
import { type CycleOutcome, type CycleReport, sampleCycleReport } from '../../schemas/records/cycle-report.ts'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 0, 31)

const report = (outcome: CycleOutcome, error_code: string | null = null): CycleReport => ({
  ...sampleCycleReport,
  outcome,
  error_code,
  error: error_code === null ? null : 'why',
})
const facts = (some: Partial<PartnerFacts>): PartnerFacts => ({
  isPaused: false,
  reports: [],
  lastCycle: NOW - HOUR_MS,
  everyMs: HOUR_MS,
  ...some,
})
const auth = report('failed', 'PARTNER_AUTH')
const failed = report('failed', 'PARTNER_STATUS')

describe('partnerState', () => {
  test.each<{ name: string; some: Partial<PartnerFacts>; state: string }>([
    { name: 'no checkpoint yet', some: { lastCycle: undefined }, state: 'new' },
    {
      name: 'the first cycle is being polled',
      some: { lastCycle: undefined, reports: [report('started')] },
      state: 'polling',
    },
    { name: 'three intervals ago', some: { lastCycle: NOW - 3 * HOUR_MS }, state: 'current' },
    { name: 'a millisecond more', some: { lastCycle: NOW - 3 * HOUR_MS - 1 }, state: 'late' },
    {
      name: 'an interval is the partner’s own',
      some: { lastCycle: NOW - 2 * HOUR_MS, everyMs: 60_000 },
      state: 'late',
    },
    { name: 'a cycle id ahead of a clock that jumped back', some: { lastCycle: NOW + HOUR_MS }, state: 'current' },
    { name: 'a cycle of the year 1970 is one', some: { lastCycle: 0 }, state: 'late' },
    { name: 'polled and not closed', some: { reports: [report('started'), report('polled')] }, state: 'waiting' },
    { name: 'closed', some: { reports: [report('polled'), report('checkpointed')] }, state: 'current' },
    { name: 'failed', some: { reports: [report('checkpointed'), failed] }, state: 'failing' },
    { name: 'failed before and polled again', some: { reports: [failed, report('started')] }, state: 'failing' },
    {
      name: 'failed before and well again',
      some: { reports: [failed, report('polled'), report('checkpointed')] },
      state: 'current',
    },
    { name: 'refused once', some: { reports: [auth] }, state: 'failing' },
    {
      name: 'row 8: refused twice in a row',
      some: { reports: [auth, report('started'), auth] },
      state: 'auth_failing',
    },
    { name: 'refused twice with another end between', some: { reports: [auth, failed, auth] }, state: 'failing' },
    {
      name: 'abandoned by a source that is gone',
      some: { reports: [report('started'), report('abandoned')] },
      state: 'current',
    },
    { name: 'paused, whatever else', some: { isPaused: true, reports: [auth, auth] }, state: 'paused' },
  ])('$name: $state', ({ some, state }) => {
    expect(partnerState(facts(some), NOW)).toBe(state)
  })
})

test.each([
  { name: 'nothing', reports: [], failure: null },
  { name: 'a failure', reports: [failed], failure: 'PARTNER_STATUS: why' },
  { name: 'a failure while the next cycle runs', reports: [failed, report('started')], failure: 'PARTNER_STATUS: why' },
  { name: 'a failure that is over', reports: [failed, report('polled')], failure: null },
])('why it fails: $name', ({ reports, failure }) => {
  expect(failureOf(reports)).toBe(failure)
})
