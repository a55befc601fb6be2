import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { afterDrift, DriftWatch } from '../../../connectors/crm-source/drift.ts'
import { IdSet } from '../../../connectors/crm-source/id-set.ts'
import type { PropertyPage } from '../../../schemas/feeds.ts'

const page = (ids: readonly unknown[], totalCount?: number): PropertyPage => ({
  elements: ids.map(externalId => ({ externalId, body: '{}' })),
  next: null,
  totalCount,
})

test.each([
  { name: 'pages of different ids', pages: [page(['a', 'b']), page(['c'])], drift: undefined },
  { name: 'no page at all', pages: [], drift: undefined },
  { name: 'a total that holds', pages: [page(['a'], 2), page(['b'], 2)], drift: undefined },
  { name: 'an id twice over a page boundary', pages: [page(['a', 'b']), page(['b', 'c'])], drift: 'id_twice' },
  { name: 'an id twice in one page', pages: [page(['a', 'a'])], drift: 'id_twice' },
  { name: 'a total that changes', pages: [page(['a'], 2), page(['b'], 3), page(['c'], 3)], drift: 'total_changed' },
  { name: 'a total that the elements do not sum up to', pages: [page(['a', 'b'], 3)], drift: 'total_wrong' },
  { name: 'a total of none with elements', pages: [page(['a'], 0)], drift: 'total_wrong' },
  { name: 'a total on the last page alone', pages: [page(['a']), page(['b'], 2)], drift: undefined },
  { name: 'elements without a usable id', pages: [page([null, null, 7, 7, ''])], drift: undefined },
])('rows 14 and 15: $name', ({ pages, drift }) => {
  const watch = new DriftWatch()
  for (const one of pages) watch.page(one)
  expect(watch.end()).toBe(drift)
})

test.each([
  { crawls: 1, driftedBefore: 0, next: 'crawl-again' },
  { crawls: 1, driftedBefore: 9, next: 'crawl-again' },
  { crawls: 2, driftedBefore: 0, next: 'fail' },
  { crawls: 2, driftedBefore: 2, next: 'fail' },
  { crawls: 2, driftedBefore: 3, next: 'accept' },
])(
  'after crawl $crawls that drifted, with $driftedBefore drifted cycles before: $next',
  ({ crawls, driftedBefore, next }) => {
    expect(afterDrift(crawls, driftedBefore)).toBe(next)
  },
)

describe('IdSet', () => {
  test('answers as a Set does, also while it grows', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 6 }), { maxLength: 3_000 }), ids => {
        const set = new Set<string>()
        const idSet = new IdSet()
        for (const id of ids) {
          expect(idSet.add(id)).toBe(!set.has(id))
          set.add(id)
        }
        expect(idSet.size).toBe(set.size)
      }),
      { numRuns: 30 },
    )
  })

  test('tells 200,000 ids apart that differ in a digit', () => {
    const ids = new IdSet()
    let again = 0
    for (let index = 0; index < 200_000; index++) if (!ids.add(`CRM-${String(index).padStart(8, '0')}`)) again++
    expect(again).toBe(0)
  })
})
