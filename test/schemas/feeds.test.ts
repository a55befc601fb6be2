import { describe, expect, test } from 'vitest'
import { EMPTY_PAGE, FEED_PATHS, NO_DELETIONS, parseDeletionAnswer, parsePropertyPage } from '../../schemas/feeds.ts'
import { errorOf } from './error-of.ts'

test('the paths are those of contract 4.1 and 4.2', () => {
  expect(FEED_PATHS).toEqual({
    properties: '/api/v1/marketplace/properties',
    deletions: '/api/v1/marketplace/properties/deleted',
  })
})

describe('parsePropertyPage (contract 2.2)', () => {
  test('a page: ids, untouched texts, meta', () => {
    const text =
      '{"data":[{"external_id":"A", "price":1.50},{"external_id":"B"}],"meta":{"next":"?offset=2","total_count":5}}'
    expect(parsePropertyPage(text)).toEqual({
      elements: [
        { externalId: 'A', body: '{"external_id":"A", "price":1.50}' },
        { externalId: 'B', body: '{"external_id":"B"}' },
      ],
      next: '?offset=2',
      totalCount: 5,
    })
  })

  test.each([
    { name: 'data', text: '{"data":["d"]}', bodies: ['"d"'] },
    { name: 'objects is tolerated', text: '{"objects":["o"]}', bodies: ['"o"'] },
    { name: 'items is tolerated', text: '{"items":["i"]}', bodies: ['"i"'] },
    { name: 'data wins over the others', text: '{"items":["i"],"objects":["o"],"data":["d"]}', bodies: ['"d"'] },
    { name: 'objects wins over items', text: '{"items":["i"],"objects":["o"]}', bodies: ['"o"'] },
    { name: 'a data that is no array leaves the others', text: '{"data":null,"items":["i"]}', bodies: ['"i"'] },
    { name: 'an empty page', text: '{"data":[]}', bodies: [] },
    { name: 'a key twice: array and ids of the last (S11)', text: '{"data":["a","b"],"data":["c"]}', bodies: ['"c"'] },
  ])('the array: $name', ({ text, bodies }) => {
    expect(parsePropertyPage(text).elements.map(({ body }) => body)).toEqual(bodies)
  })

  test.each([
    { name: 'a text', element: '{"external_id":"A"}', id: 'A' },
    { name: 'absent', element: '{}', id: undefined },
    { name: 'null', element: '{"external_id":null}', id: null },
    { name: 'a number stays one', element: '{"external_id":7}', id: 7 },
    { name: 'twice: the last one counts', element: '{"external_id":"A","external_id":"B"}', id: 'B' },
    { name: 'of an element that is text', element: '"A"', id: undefined },
    { name: 'of null', element: 'null', id: undefined },
    { name: 'of an array', element: '["A"]', id: undefined },
    { name: 'inherited from __proto__ is none (S11)', element: '{"__proto__":{"external_id":"A"}}', id: undefined },
  ])('external_id: $name', ({ element, id }) => {
    expect(parsePropertyPage(`{"data":[${element}]}`).elements).toEqual([{ externalId: id, body: element }])
  })

  test.each([
    { name: 'null', meta: '{"next":null}', next: null },
    { name: 'absent', meta: '{}', next: undefined },
    { name: 'empty', meta: '{"next":""}', next: '' },
    { name: 'a number', meta: '{"next":200}', next: 200 },
    { name: 'no meta', meta: 'null', next: undefined },
  ])('meta.next is handed on as sent: $name', ({ meta, next }) => {
    expect(parsePropertyPage(`{"data":[],"meta":${meta}}`).next).toBe(next)
  })

  test('without meta there is no next page (contract 4.1 rule 4)', () => {
    expect(parsePropertyPage('{"data":[]}')).toEqual({ elements: [], next: undefined, totalCount: undefined })
  })

  /** A feed cut short would move `since` past what was never read. */
  test.each(['"?offset=200"', '""', '[{"next":"?offset=200"}]', '7', 'true', 'false'])(
    'a meta that is no object is a fault and not the last page: %s',
    meta => {
      expect(errorOf(() => parsePropertyPage(`{"data":[],"meta":${meta}}`)).code).toBe('PARTNER_ENVELOPE')
    },
  )

  test('an empty array for a meta is PHP’s empty object', () => {
    expect(parsePropertyPage('{"data":[],"meta":[]}').next).toBeUndefined()
  })

  test.each([
    { name: 'a count', total: '5', totalCount: 5 },
    { name: 'zero', total: '0', totalCount: 0 },
    { name: 'negative', total: '-1', totalCount: undefined },
    { name: 'a fraction', total: '1.5', totalCount: undefined },
    { name: 'text', total: '"5"', totalCount: undefined },
    { name: 'null', total: 'null', totalCount: undefined },
    { name: 'beyond exact integers', total: '9007199254740992', totalCount: undefined },
    { name: 'the largest exact integer', total: '9007199254740991', totalCount: 9_007_199_254_740_991 },
  ])('meta.total_count, for audit only: $name', ({ total, totalCount }) => {
    expect(parsePropertyPage(`{"data":[],"meta":{"total_count":${total}}}`).totalCount).toBe(totalCount)
  })

  test.each([
    { name: 'no array at all', text: '{"meta":{}}' },
    { name: 'data an object', text: '{"data":{}}' },
    { name: 'a bare array', text: '[]' },
    { name: 'null', text: 'null' },
    { name: 'a text', text: '"data"' },
    { name: 'an array only in __proto__ (S11)', text: '{"__proto__":{"data":[]}}' },
  ])('$name is no envelope', ({ text }) => {
    expect(errorOf(() => parsePropertyPage(text)).code).toBe('PARTNER_ENVELOPE')
  })

  test.each([
    { name: 'nothing', text: '' },
    { name: 'cut off', text: '{"data":[{"external_id":"A"}' },
    { name: 'HTML', text: '<html>maria@acme.example</html>' },
    { name: 'NaN', text: '{"data":[NaN]}' },
    { name: 'a byte order mark', text: '\ufeff{"data":[]}' },
  ])('$name is unreadable, and the error quotes nothing of it (S14)', ({ text }) => {
    const error = errorOf(() => parsePropertyPage(text))
    expect(error.code).toBe('PARTNER_BODY_UNREADABLE')
    expect(error.context).toEqual({ feed: 'properties', bytes: Buffer.byteLength(text) })
    expect(error.message).not.toContain('acme')
    expect(error.cause).toBeUndefined() // the parser's error quotes the body
  })
})

describe('parseDeletionAnswer (contract 2.3)', () => {
  test('ids as sent, whatever they are', () => {
    const answer = parseDeletionAnswer(
      '{"deleted_ids":["A",7,null,""],"since":"2026-01-01T00:00:00Z","generated_at":"2026-01-02T00:00:00Z"}',
    )
    expect(answer).toEqual({
      deletedIds: ['A', 7, null, ''],
      since: '2026-01-01T00:00:00Z',
      generatedAt: Date.UTC(2026, 0, 2),
    })
  })

  test('an empty set, as the contract shows it', () => {
    const text = '{"deleted_ids":[],"since":null,"generated_at":"2026-01-02T00:00:00Z"}'
    expect(parseDeletionAnswer(text)).toMatchObject({ deletedIds: [], since: null })
  })

  test.each(['"yesterday"', 'null', '1767312000', '"2026-01-02T00:00:00"'])('generated_at %s is none', sent => {
    expect(parseDeletionAnswer(`{"deleted_ids":[],"generated_at":${sent}}`).generatedAt).toBeNull()
  })

  test.each([
    { name: 'absent: never an empty set', text: '{"since":null}' },
    { name: 'null', text: '{"deleted_ids":null}' },
    { name: 'an object', text: '{"deleted_ids":{}}' },
    { name: 'a text', text: '{"deleted_ids":"A"}' },
    { name: 'in a bare array', text: '["A"]' },
    { name: 'only in __proto__ (S11)', text: '{"__proto__":{"deleted_ids":[]}}' },
    { name: 'no longer an array in its last place', text: '{"deleted_ids":["A"],"deleted_ids":null}' },
  ])('deleted_ids $name', ({ text }) => {
    const error = errorOf(() => parseDeletionAnswer(text))
    expect([error.code, error.context.feed]).toEqual(['PARTNER_ENVELOPE', 'deletions'])
  })

  test('no JSON', () => {
    expect(errorOf(() => parseDeletionAnswer('[')).context).toEqual({ feed: 'deletions', bytes: 1 })
  })
})

test('204 stands for an empty page that is the last, and for no deletions (contract 4)', () => {
  expect(EMPTY_PAGE).toEqual({ elements: [], next: null, totalCount: undefined })
  expect(NO_DELETIONS).toEqual({ deletedIds: [], since: null, generatedAt: null })
})
