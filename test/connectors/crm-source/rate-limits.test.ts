import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnswerHeaders, pauseMs } from '../../../connectors/crm-source/rate-limits.ts'
import { NOW_MS } from './rig.ts'

const IN_30_S = NOW_MS / 1_000 + 30

describe('pauseMs: what is left of the window, shared among the requests left in it', () => {
  test.each<{ name: string; headers: AnswerHeaders; ms: number }>([
    { name: 'nothing said', headers: {}, ms: 0 },
    { name: 'none left: until the window ends', headers: { ratelimit: '"default";r=0;t=30' }, ms: 30_000 },
    { name: 'five left', headers: { ratelimit: '"default";r=5;t=30' }, ms: 5_000 },
    { name: 'plenty left', headers: { ratelimit: '"default";r=10;t=30' }, ms: 0 },
    { name: 'the window is over', headers: { ratelimit: '"default";r=0;t=0' }, ms: 0 },
    { name: 'a long window: a 429 has to say that', headers: { ratelimit: '"day";r=0;t=86400' }, ms: 60_000 },
    { name: 'the strictest of several policies', headers: { ratelimit: '"a";r=9;t=10, "b";r=1;t=30' }, ms: 15_000 },
    { name: 'a policy without a time', headers: { ratelimit: '"a";r=0' }, ms: 0 },
    { name: 'with a partition key', headers: { ratelimit: '"a";r=0;t=7;pk=:c2VjcmV0:' }, ms: 7_000 },
    { name: 'blanks, and the other order', headers: { ratelimit: ' default; t=7 ;r=0' }, ms: 7_000 },
    { name: 'a name that holds it all', headers: { ratelimit: '"x;r=0;t=50, \\"y";r=9;t=5' }, ms: 500 },
    { name: 'the drafts in between', headers: { ratelimit: 'limit=100, remaining=1, reset=30' }, ms: 15_000 },
    { name: 'the older drafts', headers: { 'ratelimit-remaining': '1', 'ratelimit-reset': '30' }, ms: 15_000 },
    {
      name: 'X-, seconds from now',
      headers: { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '30' },
      ms: 15_000,
    },
    {
      name: 'X-, an instant in seconds',
      headers: { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(IN_30_S) },
      ms: 15_000,
    },
    {
      name: 'X-, an instant in milliseconds',
      headers: { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(IN_30_S * 1_000) },
      ms: 15_000,
    },
    {
      name: 'X-, an instant that is past',
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(IN_30_S - 40) },
      ms: 0,
    },
    {
      name: 'X-, with a fraction',
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1.5' },
      ms: 1_500,
    },
    { name: 'X-Rate-Limit', headers: { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '7' }, ms: 7_000 },
    { name: 'half of a pair', headers: { 'x-ratelimit-remaining': '0' }, ms: 0 },
    { name: 'negative', headers: { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '30' }, ms: 0 },
    { name: 'twice', headers: { 'ratelimit-remaining': ['0', '0'], 'ratelimit-reset': '30' }, ms: 0 },
    { name: 'words', headers: { 'ratelimit-remaining': 'none', 'ratelimit-reset': 'soon' }, ms: 0 },
    { name: 'a date', headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-01-15T12:00:30Z' }, ms: 0 },
    { name: 'longer than any honest one', headers: { ratelimit: `${'"'.repeat(1_000)};r=0;t=30` }, ms: 0 },
  ])('$name', ({ headers, ms }) => {
    expect(pauseMs(headers, NOW_MS)).toBe(ms)
  })

  test('whatever the headers hold, it is 0 to 60 s', () => {
    const text = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.double().map(String),
      fc.string({ unit: fc.constantFrom(...'"\\;,rt=0129 remainingreset') }),
    )
    const names = ['ratelimit', 'ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-remaining', 'x-ratelimit-reset']
    const headers = fc.dictionary(fc.constantFrom(...names), fc.oneof(text, fc.array(text)))
    fc.assert(
      fc.property(headers, given => {
        const ms = pauseMs(given, NOW_MS)
        expect(ms).toBeGreaterThanOrEqual(0)
        expect(ms).toBeLessThanOrEqual(60_000)
      }),
      { numRuns: 500 },
    )
  })
})
