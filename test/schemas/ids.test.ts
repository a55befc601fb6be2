import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EXTERNAL_ID_MAX_BYTES, isUsableExternalId, recordKey } from '../../schemas/ids.ts'

describe('isUsableExternalId (S13, A12)', () => {
  test.each<{ name: string; id: unknown; usable: boolean }>([
    { name: 'one character', id: 'A', usable: true },
    { name: 'slashes and colons: only the first slash of a key parts it', id: 'a/b:c', usable: true },
    { name: 'blanks, which are not trimmed', id: ' A ', usable: true },
    { name: 'letters of any script', id: 'bodega-ñ-办公-😀', usable: true },
    { name: '255 bytes', id: 'x'.repeat(255), usable: true },
    { name: '256 bytes', id: 'x'.repeat(256), usable: false },
    { name: '85 characters of three bytes are 255', id: '办'.repeat(85), usable: true },
    { name: '86 characters of three bytes are 258', id: '办'.repeat(86), usable: false },
    { name: '127 characters of two bytes are 254', id: 'ñ'.repeat(127), usable: true },
    { name: '128 characters of two bytes are 256', id: 'ñ'.repeat(128), usable: false },
    { name: '63 characters of four bytes and three are 255', id: `${'😀'.repeat(63)}abc`, usable: true },
    { name: '64 characters of four bytes are 256', id: '😀'.repeat(64), usable: false },
    { name: 'empty', id: '', usable: false },
    { name: 'NUL', id: 'a\u0000', usable: false },
    { name: 'a line feed, which would break a log line', id: 'a\nb', usable: false },
    { name: 'the last C0 control', id: '\u001f', usable: false },
    { name: 'the blank after it', id: '\u0020', usable: true },
    { name: 'the last character before DEL', id: '~', usable: true },
    { name: 'DEL', id: '\u007f', usable: false },
    { name: 'the first C1 control', id: '\u0080', usable: false },
    { name: 'the last C1 control', id: '\u009f', usable: false },
    { name: 'the no-break space after it', id: '\u00a0', usable: true },
    { name: 'a line separator', id: 'a\u2028', usable: false },
    { name: 'a paragraph separator', id: 'a\u2029', usable: false },
    { name: 'half a surrogate pair (S12)', id: 'a\ud800', usable: false },
    { name: 'the other half', id: '\udc00a', usable: false },
    { name: 'a number', id: 7, usable: false },
    { name: 'null', id: null, usable: false },
    { name: 'absent', id: undefined, usable: false },
    { name: 'an object that looks like text', id: new String('A'), usable: false },
    { name: 'an array of one text', id: ['A'], usable: false },
  ])('$name: $usable', ({ id, usable }) => {
    expect(isUsableExternalId(id)).toBe(usable)
  })

  test('without control characters, 1 to 255 bytes make an id, however many characters they are', () => {
    const characters = fc.array(fc.constantFrom('a', 'ñ', '办', '😀'), { maxLength: 256, size: 'max' })
    fc.assert(
      fc.property(characters, parts => {
        const bytes = Buffer.byteLength(parts.join(''))
        expect(isUsableExternalId(parts.join(''))).toBe(bytes >= 1 && bytes <= EXTERNAL_ID_MAX_BYTES)
      }),
    )
  })
})

describe('recordKey (design section 2)', () => {
  test('partner and id', () => {
    expect(recordKey('acme', 'CRM-1', '{}')).toBe('acme/CRM-1')
  })

  test('the first slash parts them, whatever the id holds', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,40}$/), fc.string(), (partner, id) => {
        fc.pre(isUsableExternalId(id))
        const key = recordKey(partner, id, '{}')
        const slash = key.indexOf('/')
        expect([key.slice(0, slash), key.slice(slash + 1)]).toEqual([partner, id])
      }),
    )
  })

  test.each([undefined, null, '', 7, 'a\nb', 'x'.repeat(256)])(
    '%j is unusable: a hash of the body stands for it (A12)',
    id => {
      const body = '{"property_type":"office","contact":{"name":"María"}}'
      const sha256 = createHash('sha256').update(body, 'utf8').digest('hex')
      expect(recordKey('acme', id, body)).toBe(`acme/sha256:${sha256}`)
    },
  )

  test('the id, not the body, makes the key of a property that has one', () => {
    expect(recordKey('acme', 'A', '{"a":1}')).toBe(recordKey('acme', 'A', '{"a":2}'))
    expect(recordKey('acme', null, '{"a":1}')).not.toBe(recordKey('acme', null, '{"a":2}'))
  })
})
