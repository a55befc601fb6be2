import { describe, expect, test } from 'vitest'
import { ageText, statusLine } from '../../../operations/cli/status.ts'
import type { PartnerStatus } from '../../../operations/status.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('ageText', () => {
  test.each([
    { ms: 0, text: '0 s' },
    { ms: 499, text: '0 s' },
    { ms: 500, text: '1 s' },
    { ms: 119 * SECOND_MS + 499, text: '119 s' },
    { ms: 119 * SECOND_MS + 500, text: '2 min' },
    { ms: 2 * MINUTE_MS, text: '2 min' },
    { ms: 150 * SECOND_MS, text: '3 min' },
    { ms: 119 * MINUTE_MS, text: '119 min' },
    { ms: 2 * HOUR_MS - SECOND_MS, text: '120 min' },
    { ms: 2 * HOUR_MS, text: '2 h' },
    { ms: 47 * HOUR_MS, text: '47 h' },
    { ms: 2 * DAY_MS - SECOND_MS, text: '48 h' },
    { ms: 2 * DAY_MS, text: '2 d' },
    { ms: 400 * DAY_MS, text: '400 d' },
    { ms: -HOUR_MS, text: '0 s' },
  ])('$ms ms are $text', ({ ms, text }) => {
    expect(ageText(ms)).toBe(text)
  })
})

describe('statusLine', () => {
  const NOW = Date.UTC(2026, 0, 31, 12)
  const status: PartnerStatus = {
    partner: 'acme',
    state: 'current',
    since: NOW - 2 * HOUR_MS,
    lastCycle: NOW - HOUR_MS,
    failure: null,
    lag: { validator: 3, catalog: 0 },
  }

  test.each<{ name: string; status: PartnerStatus; line: string }>([
    {
      name: 'a partner at work',
      status,
      line: 'acme             current      last cycle 2026-01-31T11:00:00Z (60 min ago), since 2026-01-31T10:00:00Z, lag validator 3, catalog 0',
    },
    {
      name: 'a new partner',
      status: { ...status, partner: 'a-partner-of-some-length', state: 'new', since: null, lastCycle: null },
      line: 'a-partner-of-some-length new          no cycle yet, polls all, lag validator 3, catalog 0',
    },
    {
      name: 'a late partner',
      status: { ...status, state: 'late', lastCycle: NOW - 5 * DAY_MS },
      line: 'acme             late         last cycle 2026-01-26T12:00:00Z (5 d ago), since 2026-01-31T10:00:00Z, lag validator 3, catalog 0',
    },
    {
      name: 'a failure, in its own words',
      status: { ...status, state: 'failing', failure: 'PARTNER_STATUS: why' },
      line: 'acme             failing      last cycle 2026-01-31T11:00:00Z (60 min ago), since 2026-01-31T10:00:00Z, lag validator 3, catalog 0, PARTNER_STATUS: why',
    },
  ])('$name', ({ status: shown, line }) => {
    expect(statusLine(shown, NOW)).toBe(line)
  })
})
