import { describe, expect, test } from 'vitest'
import { EMPTY_PAGES_MAX, PageGuard } from '../../../connectors/crm-source/page-guard.ts'
import { parsePropertyPage } from '../../../schemas/feeds.ts'

const pageOf = (...ids: readonly unknown[]) =>
  parsePropertyPage(JSON.stringify({ data: ids.map(external_id => ({ external_id })) }))
const long = (count: number) => parsePropertyPage(`{"data":[${'0,'.repeat(count - 1)}0]}`)
const refusing = (code: string) => expect.objectContaining({ code })

describe('more elements than were asked for', () => {
  test.each([
    { limit: 200, most: 10_000 },
    { limit: 1, most: 50 },
    { limit: 10_000, most: 100_000 },
  ])('row 13: of $limit asked for, $most are taken and not one more', ({ limit, most }) => {
    const guard = new PageGuard(limit)
    const page = long(most)
    expect(guard.check(page)).toBe(page)
    expect(() => guard.check(long(most + 1))).toThrow(refusing('PARTNER_PAGE_TOO_LONG'))
  })
})

describe('row 13: a feed that goes on without getting on', () => {
  test('the same page again, under whatever offset', () => {
    const guard = new PageGuard(2)
    guard.check(pageOf('A', 'B'))
    guard.check(pageOf('B', 'A'))
    expect(() => guard.check(pageOf('B', 'A'))).toThrow(refusing('PARTNER_NEXT_LOOP'))
  })

  test.each([
    { name: 'a page that has moved by one', first: ['A', 'B'], second: ['B', 'C'] },
    { name: 'a longer page that begins alike', first: ['A', 'B'], second: ['A', 'B', 'C'] },
    { name: 'one listing that comes twice', first: ['A'], second: ['A'] },
    { name: 'nothing but one id', first: ['A', 'A'], second: ['A', 'A'] },
    { name: 'listings without ids, which cannot be told apart', first: [null, null], second: [null, null] },
    { name: 'ids that are numbers', first: [1, 2], second: [1, 2] },
  ])('$name goes on', ({ first, second }) => {
    const guard = new PageGuard(200)
    guard.check(pageOf(...first))
    expect(() => guard.check(pageOf(...second))).not.toThrow()
  })

  test('empty pages in a row, by the hundreds', () => {
    const guard = new PageGuard(200)
    for (let count = 1; count < EMPTY_PAGES_MAX; count++) guard.check(pageOf())
    guard.check(pageOf('A'))
    for (let count = 0; count < EMPTY_PAGES_MAX; count++) guard.check(pageOf())
    expect(() => guard.check(pageOf())).toThrow(refusing('PARTNER_PAGES_ENDLESS'))
  })
})
