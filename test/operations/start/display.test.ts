import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { CycleSummary } from '../../../operations/start/cycles.ts'
import { openDisplay, rowText } from '../../../operations/start/display.ts'

const CYCLE: CycleSummary = {
  partner: 'acme',
  cycle: Date.UTC(2026, 0, 31, 12, 34, 56),
  outcome: 'checkpointed',
  ...{ polled: 1_000, accepted: 850, draft: 70, rejected: 80, deactivated: 3 },
  since: '2026-01-31T12:29:56Z',
  error: null,
  seconds: 4.25,
}

describe('rowText', () => {
  test('all counts of a checkpointed cycle', () => {
    expect(rowText(CYCLE).split(/\s+/)).toEqual([
      'acme',
      '12:34:56',
      '1000',
      '850',
      '70',
      '80',
      '3',
      '2026-01-31T12:29:56Z',
      '4.3s',
    ])
  })

  test('columns stand under each other, whatever the counts', () => {
    const few = { ...CYCLE, ...{ polled: 0, accepted: 0, draft: 0, rejected: 0, deactivated: 0 }, seconds: 123.4 }
    const startsOf = (row: string): number => row.indexOf('2026-01-31')
    expect(startsOf(rowText(few))).toBe(startsOf(rowText(CYCLE)))
    expect(rowText(few)).toHaveLength(rowText(CYCLE).length)
  })

  test.each<{ name: string; changes: Partial<CycleSummary>; row: string }>([
    {
      name: 'a failed cycle says why',
      changes: { outcome: 'failed', error: 'PARTNER_AUTH: refused' },
      row: 'acme         12:34:56 failed: PARTNER_AUTH: refused',
    },
    {
      name: 'a lost one what comes next',
      changes: { outcome: 'lost' },
      row: 'acme         12:34:56 lost: it is polled again from the same date',
    },
    {
      name: 'a superseded one that an operator’s reset counts',
      changes: { outcome: 'superseded' },
      row: 'acme         12:34:56 superseded: the next one starts where the reset points',
    },
    {
      name: 'an id longer than its column is not cut',
      changes: { partner: 'a-partner-of-some-length', outcome: 'failed', error: 'x' },
      row: 'a-partner-of-some-length 12:34:56 failed: x',
    },
  ])('$name', ({ changes, row }) => {
    expect(rowText({ ...CYCLE, ...changes })).toBe(row)
  })

  /** Counts are numbers: their last digits belong under each other. Three of the five columns are aligned to the left. */
  test.fails('counts end in the same column', () => {
    const endOf = (row: string, count: string): number => row.indexOf(count) + count.length
    expect(endOf(rowText({ ...CYCLE, polled: 7 }), ' 7')).toBe(endOf(rowText({ ...CYCLE, polled: 1_000 }), ' 1000'))
  })
})

describe('on a pipe', () => {
  function display() {
    const to = new PassThrough({ encoding: 'utf8' })
    let nowMs = 0
    const shown = openDisplay(to as unknown as NodeJS.WriteStream, () => nowMs)
    const pass = (ms: number): void => {
      nowMs += ms
    }
    const lines = (): string[] => stripVTControlCharacters(to.read() ?? '').match(/.*\n/g) ?? []
    return { ...shown, lines, pass }
  }

  test('one head, then a row for each cycle', () => {
    const { row, lines } = display()
    row(CYCLE)
    row(CYCLE)
    const [head, ...rows] = lines()
    expect(head).toMatch(/^partner +cycle +polled +accepted +draft +rejected +deactivated +since +time\n$/)
    expect(rows).toEqual([`${rowText(CYCLE)}\n`, `${rowText(CYCLE)}\n`])
  })

  test('progress every three seconds, not a line a page', () => {
    const { progress, lines, pass } = display()
    for (let properties = 200; properties <= 1_600; properties += 200) {
      progress({ kind: 'progress', partner: 'acme', properties, total: 5_000 })
      pass(1_000)
    }
    expect(lines()).toEqual([200, 800, 1_400].map(polled => `acme: ${polled} of 5000 properties polled\n`))
  })

  test('progress of a feed that does not tell its total', () => {
    const { progress, lines } = display()
    progress({ kind: 'progress', partner: 'acme', properties: 200, total: undefined })
    expect(lines()).toEqual(['acme: 200 properties polled\n'])
  })

  test('the row tells what polled and ended tell', () => {
    const { progress, lines } = display()
    progress({ kind: 'polled', partner: 'acme', properties: 200 })
    const end = { outcome: 'checkpointed', cycle: 1, sinceMs: null, error: null, seconds: 1 } as const
    progress({ kind: 'ended', partner: 'acme', properties: 200, ...end })
    expect(lines()).toEqual([])
  })

  test('words as they are', () => {
    const { say, close, lines } = display()
    say('the sample partner is up')
    close()
    expect(lines()).toEqual(['the sample partner is up\n'])
  })
})
