import { describe, expect, test } from 'vitest'
import type { RoleEvent } from '../../../operations/role-process.ts'
import { type CycleNews, CycleWatch } from '../../../operations/start/cycles.ts'

const START_MS = Date.UTC(2026, 0, 31, 12)
const SINCE_MS = START_MS - 300_000

/** Events a second apart, as the roles log them; what the last one was news of. */
function newsOf(...events: readonly RoleEvent[]): CycleNews | undefined {
  const watch = new CycleWatch()
  return events.map((event, second) => watch.read(event, START_MS + second * 1_000)).at(-1)
}
const said = (event: string, more: object = {}): RoleEvent => ({ event, partner: 'acme', cycle: START_MS, ...more })
const ended = (more: object): object => ({
  kind: 'ended',
  partner: 'acme',
  cycle: START_MS,
  sinceMs: null,
  error: null,
  ...more,
})

describe('CycleWatch', () => {
  test.each<{ name: string; events: RoleEvent[]; news: object | undefined }>([
    {
      name: 'a start is progress of nothing',
      events: [said('cycle_started', { since: null })],
      news: { kind: 'progress', partner: 'acme', properties: 0, total: undefined },
    },
    {
      name: 'progress, with the partner’s total',
      events: [said('cycle_progress', { pages: 2, properties: 400, total: 1_000 })],
      news: { kind: 'progress', partner: 'acme', properties: 400, total: 1_000 },
    },
    {
      name: 'progress without a total',
      events: [said('cycle_progress', { properties: 400 })],
      news: { kind: 'progress', partner: 'acme', properties: 400, total: undefined },
    },
    {
      name: 'polled is not the end',
      events: [said('cycle_started'), said('cycle_polled', { properties: 7 })],
      news: { kind: 'polled', partner: 'acme', properties: 7 },
    },
    {
      name: 'checkpointed: the source’s count, the checkpoint’s `since`, the time from start to end',
      events: [
        said('cycle_started'),
        said('cycle_polled', { properties: 7 }),
        said('cycle_checkpointed', { since: SINCE_MS }),
      ],
      news: ended({ outcome: 'checkpointed', properties: 7, sinceMs: SINCE_MS, seconds: 2 }),
    },
    {
      name: 'superseded moves no `since`',
      events: [
        said('cycle_started'),
        said('cycle_polled', { properties: 7 }),
        said('cycle_superseded', { since: SINCE_MS }),
      ],
      news: ended({ outcome: 'superseded', properties: 7, seconds: 2 }),
    },
    {
      name: 'nor does lost',
      events: [
        said('cycle_started'),
        said('cycle_polled', { properties: 7 }),
        said('cycle_lost', { since: SINCE_MS, why: 'properties.raw' }),
      ],
      news: ended({ outcome: 'lost', properties: 7, seconds: 2 }),
    },
    {
      name: 'failed: what was polled until then, and why',
      events: [
        said('cycle_started'),
        said('cycle_failed', { properties: 400, code: 'PARTNER_STATUS', error: 'it answered 500' }),
      ],
      news: ended({ outcome: 'failed', properties: 400, error: 'PARTNER_STATUS: it answered 500', seconds: 1 }),
    },
    {
      name: 'a cycle whose start nobody saw, as after a restart of `start`',
      events: [said('cycle_checkpointed', { since: SINCE_MS })],
      news: ended({ outcome: 'checkpointed', properties: 0, sinceMs: SINCE_MS, seconds: 0 }),
    },
    {
      name: 'polled without its start, then closed',
      events: [said('cycle_polled', { properties: 7 }), said('cycle_checkpointed', { since: SINCE_MS })],
      news: ended({ outcome: 'checkpointed', properties: 0, sinceMs: SINCE_MS, seconds: 0 }),
    },
    { name: 'other events are none', events: [said('cycle_unconfirmed')], news: undefined },
    {
      name: 'nor are events without a partner',
      events: [{ event: 'cycle_started', cycle: START_MS }],
      news: undefined,
    },
    { name: 'nor without a cycle', events: [{ event: 'cycle_started', partner: 'acme' }], news: undefined },
    { name: 'nor a line that is no event', events: [{ event: 'said', level: 'error', said: 'oops' }], news: undefined },
  ])('$name', ({ events, news }) => {
    expect(newsOf(...events)).toEqual(news)
  })

  test('partners and cycles side by side are not mixed up', () => {
    const other = { event: 'cycle_polled', partner: 'beta', cycle: START_MS, properties: 99 }
    const older = said('cycle_polled', { cycle: START_MS - 1, properties: 98 })
    const news = newsOf(
      said('cycle_started'),
      { ...other, event: 'cycle_started' },
      said('cycle_polled', { properties: 7 }),
      other,
      older,
      said('cycle_checkpointed', { since: SINCE_MS }),
    )
    expect(news).toMatchObject({ partner: 'acme', properties: 7, seconds: 5 })
  })

  test('a cycle that ended is forgotten: a second closing word starts from nothing', () => {
    const closing = said('cycle_checkpointed', { since: SINCE_MS })
    expect(newsOf(said('cycle_started'), said('cycle_polled', { properties: 7 }), closing, closing)).toMatchObject({
      properties: 0,
      seconds: 0,
    })
  })
})
