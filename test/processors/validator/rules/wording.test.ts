import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { absence, asType, echo, folded } from '../../../../processors/validator/rules/wording.ts'
import { anyText } from '../verdicts.ts'

describe('echo', () => {
  test.each<[unknown, string]>([
    ['EUR', '"EUR"'],
    ['', '""'],
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
    ['😀'.repeat(40), `"${'😀'.repeat(40)}"`],
    ['😀'.repeat(41), `"${'😀'.repeat(40)}…"`],
    [`${'\u0000'.repeat(1_000)}x`, '"…"'],
    [`${'\u0000'.repeat(120)}${'x'.repeat(40)}`, `"${'x'.repeat(40)}"`],
    [`${'\u0000'.repeat(121)}${'x'.repeat(40)}`, `"${'x'.repeat(39)}…"`],
    ['a\nb\u2028c\u202ed\u200be\u007f', '"abcde"'],
    ['a\ud800b', '"a\ufffdb"'],
    [7, '7'],
    [true, 'true'],
    [null, 'null'],
    [{ a: 1 }, '{…}'],
    [[1], '[…]'],
  ])('%j -> %s', (value, text) => {
    expect(echo(value)).toBe(text)
  })

  test('any text stays one short, well-formed line', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 5 }), (part, times) => {
        const text = part.repeat(times)
        const echoed = echo(text)
        expect(echoed.isWellFormed()).toBe(true)
        expect([...echoed].length).toBeLessThanOrEqual(43)
        expect(echoed).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e]/)
      }),
    )
  })
})

test.each<[unknown, string]>([
  ['Nave_Industrial', 'nave industrial'],
  ['  ÁÉÍ  ñ ', 'aei n'],
  ['US$', 'us$'],
  ['?', ''],
  [7, ''],
  ['a'.repeat(200), 'a'.repeat(100)],
])('folded: %j -> %j', (value, text) => {
  expect(folded(value)).toBe(text)
})

test.each<[unknown, string]>([
  [undefined, 'no llegó'],
  [null, 'llegó como null'],
  ['x', 'llegó como texto'],
  [1, 'llegó como número'],
  [false, 'llegó como booleano'],
  [[], 'llegó como lista'],
  [{}, 'llegó como objeto'],
])('asType: %j -> %s', (value, es) => {
  expect(asType(value).es).toBe(es)
})

test.each<[string, unknown, unknown, string]>([
  ['missing', {}, undefined, 'Falta contact.name.'],
  ['parent missing', undefined, undefined, 'Falta contact.name.'],
  ['parent null', null, undefined, 'Falta contact.name. contact llegó como null y debe ser un objeto.'],
  ['parent a list', [], undefined, 'Falta contact.name. contact llegó como lista y debe ser un objeto.'],
  ['blank', {}, ' \u200b', 'contact.name está vacío.'],
  ['of another type', {}, {}, 'contact.name llegó como objeto.'],
])('absence: %s', (_name, parent, value, es) => {
  expect(absence('contact.name', parent, value).es).toBe(es)
})
