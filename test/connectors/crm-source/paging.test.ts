import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_PAGES, type NextPage, nextPage } from '../../../connectors/crm-source/paging.ts'

const FEED = 'https://crm.acme.example/base/api/v1/marketplace/properties'
const END: NextPage = { kind: 'end' }
const page = (offset: string): NextPage => ({ kind: 'page', offset })
const refused = (what: string): NextPage => ({ kind: 'refused', code: `PARTNER_${what}` as 'PARTNER_NEXT_LOOP' })
const FOREIGN = refused('NEXT_FOREIGN')
const LOOP = refused('NEXT_LOOP')
const UNREADABLE = refused('NEXT_UNREADABLE')

const following = (next: unknown, offset = '0', ...before: string[]): NextPage =>
  nextPage({ feedUrl: new URL(FEED), offset, seen: new Set([...before, offset]) }, next)

describe('nextPage', () => {
  test.each<{ name: string; next: unknown; result: NextPage }>([
    { name: 'null ends the feed (contract 2.2)', next: null, result: END },
    { name: 'absent ends it', next: undefined, result: END },
    { name: 'empty ends it', next: '', result: END },
    { name: 'a link to the next page', next: `${FEED}?offset=200&limit=200`, result: page('200') },
    { name: 'a link without the origin', next: '/base/api/v1/marketplace/properties?offset=200', result: page('200') },
    { name: 'a query alone', next: '?limit=200&offset=200', result: page('200') },
    {
      name: 'a link without the scheme',
      next: '//crm.acme.example/base/api/v1/marketplace/properties?offset=200',
      result: page('200'),
    },
    {
      name: 'the default port and other letters of the host',
      next: FEED.replace('crm.acme.example', 'CRM.Acme.example:443') + '?offset=200',
      result: page('200'),
    },
    { name: 'a fragment does not matter', next: '?offset=200#next', result: page('200') },
    { name: 'of two offsets the first counts', next: '?offset=200&offset=0', result: page('200') },
    { name: 'a number', next: 200, result: page('200') },
    { name: 'a number as text', next: '200', result: page('200') },
    { name: 'the largest exact number', next: 9_007_199_254_740_991, result: page('9007199254740991') },
    { name: 'a marker (A8)', next: 'eyJpZCI6N30', result: page('eyJpZCI6N30') },
    { name: 'a marker of one letter', next: 'b', result: page('b') },
    { name: 'a marker with digits first', next: '7:b', result: page('7:b') },
    { name: 'a marker in base64, which has slashes', next: 'eyJp/ZC+I6/N30=', result: page('eyJp/ZC+I6/N30=') },
    { name: 'a marker like a token', next: 'eyJ.abc.d-e_f', result: page('eyJ.abc.d-e_f') },
    { name: 'a marker of half a character, which would be sent as another', next: 'a\ud83d', result: UNREADABLE },
    { name: 'a marker of 2,000 characters', next: 'm'.repeat(2_000), result: page('m'.repeat(2_000)) },
    { name: 'a longer one', next: 'm'.repeat(2_001), result: UNREADABLE },
    { name: 'a link of over 2,000 characters', next: `?offset=200&x=${'m'.repeat(2_000)}`, result: UNREADABLE },
    { name: 'a negative number', next: -200, result: UNREADABLE },
    { name: 'a fraction', next: 1.5, result: UNREADABLE },
    { name: 'a number that is not exact', next: 2 ** 53, result: UNREADABLE },
    { name: 'true', next: true, result: UNREADABLE },
    { name: 'false is not "no more pages"', next: false, result: UNREADABLE },
    { name: 'an object', next: { offset: 200 }, result: UNREADABLE },
    { name: 'an array', next: ['?offset=200'], result: UNREADABLE },
    { name: 'a link without an offset', next: '?limit=200', result: UNREADABLE },
    { name: 'a link with an empty offset', next: '?offset=', result: UNREADABLE },
    { name: 'a link with a negative offset', next: '?offset=-200', result: UNREADABLE },
    { name: 'a link with a marker for an offset', next: '?offset=abc', result: UNREADABLE },
    { name: 'a link with an offset of 15 digits', next: `?offset=${'9'.repeat(15)}`, result: page('9'.repeat(15)) },
    { name: 'of 16 digits', next: `?offset=${'9'.repeat(16)}`, result: UNREADABLE },
    { name: 'no link at all', next: 'https://', result: UNREADABLE },
  ])('$name', ({ next, result }) => {
    expect(following(next)).toEqual(result)
  })

  test.each([
    'https://evil.example/base/api/v1/marketplace/properties?offset=200',
    '//evil.example/base/api/v1/marketplace/properties?offset=200',
    '/\\evil.example/base/api/v1/marketplace/properties?offset=200',
    '\\\\evil.example\\base\\api\\v1\\marketplace\\properties?offset=200',
    'https:\\\\evil.example/base/api/v1/marketplace/properties?offset=200',
    'https:evil.example/base/api/v1/marketplace/properties?offset=200',
    'https://crm.acme.example@evil.example/base/api/v1/marketplace/properties?offset=200',
    'https://user@crm.acme.example/base/api/v1/marketplace/properties?offset=200',
    'https://:password@crm.acme.example/base/api/v1/marketplace/properties?offset=200',
    'http://crm.acme.example/base/api/v1/marketplace/properties?offset=200',
    'https://crm.acme.example:8443/base/api/v1/marketplace/properties?offset=200',
    'https://crm.acme.example.evil.example/base/api/v1/marketplace/properties?offset=200',
    'https://127.1/base/api/v1/marketplace/properties?offset=200',
    'https://2130706433/base/api/v1/marketplace/properties?offset=200',
    'https://crm.acme.example/other?offset=200',
    'https://crm.acme.example/api/v1/marketplace/properties?offset=200',
    '/base/api/v1/marketplace/properties/deleted?offset=200',
    '/base/api/v1/marketplace/properties/?offset=200',
    '../admin?offset=200',
    'javascript:alert(1)?offset=200',
    'data:,?offset=200',
    'file:///etc/passwd?offset=200',
    '\thttps://evil.example/?offset=200',
    ' //evil.example/?offset=200',
    'ht\ntps://evil.example/?offset=200',
  ])('%j leads away and is refused (S2)', next => {
    expect(following(next)).toEqual(FOREIGN)
  })

  test.each<{ name: string; next: unknown; offset: string; before?: string[]; result: NextPage }>([
    { name: 'the same number', next: '?offset=200', offset: '200', result: LOOP },
    { name: 'a smaller one', next: '?offset=0', offset: '200', result: LOOP },
    { name: 'one more', next: '?offset=201', offset: '200', result: page('201') },
    { name: 'a smaller number that was never seen', next: 100, offset: '200', result: LOOP },
    { name: 'the same number, written otherwise', next: '0200', offset: '200', result: LOOP },
    { name: 'a number seen before, written otherwise', next: '0200', offset: 'b', before: ['0', '200'], result: LOOP },
    {
      name: 'a number with zeros before it, as the number it is',
      next: '?offset=0400',
      offset: '200',
      result: page('400'),
    },
    { name: 'numbers are not compared as text', next: '1000', offset: '200', result: page('1000') },
    { name: 'a marker twice in a row', next: 'b', offset: 'b', result: LOOP },
    { name: 'markers in a circle, A-B-A (S8)', next: 'a', offset: 'b', before: ['0', 'a'], result: LOOP },
    { name: 'back to the first page by its number', next: 0, offset: 'b', before: ['0'], result: LOOP },
    { name: 'a marker that is new', next: 'c', offset: 'b', before: ['0', 'a'], result: page('c') },
    { name: 'a marker after a number', next: 'b', offset: '200', before: ['0'], result: page('b') },
  ])('must advance (contract 4.1 rule 5): $name', ({ next, offset, before = [], result }) => {
    expect(following(next, offset, ...before)).toEqual(result)
  })

  test.each<{ name: string; next: string; differs: boolean; since?: string }>([
    { name: 'all as asked', next: '?offset=200&limit=100&updated_since=2026-01-15T12:00:00Z', differs: false },
    { name: 'another limit', next: '?offset=200&limit=50', differs: true },
    { name: 'no limit says nothing', next: '?offset=200', differs: false },
    { name: 'the same instant', next: '?offset=200&updated_since=2026-01-15T13:00:00%2B01:00', differs: false },
    { name: 'its plus not encoded', next: '?offset=200&updated_since=2026-01-15T13:00:00+01:00', differs: false },
    { name: 'another instant', next: '?offset=200&updated_since=2026-01-15T12:00:01Z', differs: true },
    { name: 'no instant', next: '?offset=200&updated_since=yesterday', differs: true },
    {
      name: 'a filter that was not asked for',
      next: '?offset=200&updated_since=2026-01-15T12:00:00Z',
      since: '',
      differs: true,
    },
    { name: 'a marker', next: '200', differs: false },
  ])('a link with other parameters than ours goes on and is told: $name', ({ next, differs, since }) => {
    const asked = { limit: '100', ...(since === '' ? {} : { updated_since: '2026-01-15T12:00:00Z' }) }
    const state = { feedUrl: new URL(FEED), offset: '0', seen: new Set(['0']), asked }
    expect(nextPage(state, next)).toEqual({ ...page('200'), ...(differs && { differs: true }) })
  })

  test('a feed that never ends is cut off after MAX_PAGES pages', () => {
    const seen = (count: number): Set<string> => new Set(Array.from({ length: count }, (_, index) => String(index)))
    const at = (count: number, next: unknown): NextPage =>
      nextPage({ feedUrl: new URL(FEED), offset: String(count - 1), seen: seen(count) }, next)
    expect(at(MAX_PAGES - 1, MAX_PAGES)).toEqual(page(String(MAX_PAGES)))
    expect(at(MAX_PAGES, MAX_PAGES)).toEqual(refused('PAGES_ENDLESS'))
    expect(at(MAX_PAGES, null)).toEqual(END) // it did end
  })

  test('whatever comes, it ends, is refused, or gives an offset that was not asked for before', () => {
    const hostile = fc.oneof(
      fc.anything(),
      fc.constantFrom('https://evil.example/?offset=7', '//evil.example', '?offset=7', 'mailto:a@b'),
      fc.string({ unit: fc.constantFrom(...'/\\?:@#.=&0129aes%\t ñ') }),
      fc.nat().map(offset => `${FEED}?offset=${offset}`),
    )
    fc.assert(
      fc.property(
        hostile,
        fc.uniqueArray(fc.constantFrom('0', '200', '400', 'a', 'b'), { minLength: 1 }),
        (next, seen) => {
          const result = nextPage({ feedUrl: new URL(FEED), offset: seen.at(-1)!, seen: new Set(seen) }, next)
          if (result.kind === 'end') expect([undefined, null, '']).toContain(next)
          if (result.kind !== 'page') return
          expect(seen).not.toContain(result.offset)
          if (/^\d+$/.test(result.offset + seen.at(-1)))
            expect(Number(result.offset)).toBeGreaterThan(Number(seen.at(-1)))
          const url = new URL(FEED) // as the client builds the request
          url.search = new URLSearchParams({ offset: result.offset, limit: '200' }).toString()
          expect(url.href.startsWith(`${FEED}?offset=`)).toBe(true)
          expect(url.searchParams.getAll('offset')).toEqual([result.offset])
          expect([...url.searchParams.keys()]).toEqual(['offset', 'limit'])
        },
      ),
      { numRuns: 500 },
    )
  })
})
