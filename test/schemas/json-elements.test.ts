import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { elementTexts } from '../../schemas/json-elements.ts'

describe('elementTexts', () => {
  test.each<{ name: string; text: string; texts: string[] }>([
    { name: 'an empty array', text: '{"data":[]}', texts: [] },
    { name: 'an empty array with blanks in it', text: '{"data": [ \n ] }', texts: [] },
    { name: 'one object', text: '{"data":[{"a":1}]}', texts: ['{"a":1}'] },
    { name: 'blanks around elements stay outside', text: '\t{ "data" :\r\n[ {} , {} ] }', texts: ['{}', '{}'] },
    { name: 'blanks within elements stay', text: '{"data":[ { "a" : [ 1 , 2 ] } ]}', texts: ['{ "a" : [ 1 , 2 ] }'] },
    {
      name: 'each kind of scalar',
      text: '{"data":[1,"s",true,false,null]}',
      texts: ['1', '"s"', 'true', 'false', 'null'],
    },
    { name: 'a scalar before a blank and the end', text: '{"data":[0 ]}', texts: ['0'] },
    { name: 'one digit, one element', text: '{"data":[7]}', texts: ['7'] },
    {
      name: 'a number keeps its spelling',
      text: '{"data":[1e999,-0.0,12345678901234567890]}',
      texts: ['1e999', '-0.0', '12345678901234567890'],
    },
    { name: 'an empty text', text: '{"data":["",""]}', texts: ['""', '""'] },
    { name: 'empty arrays and objects', text: '{"data":[[],{},[[]]]}', texts: ['[]', '{}', '[[]]'] },
    {
      name: 'brackets in texts do not count',
      text: '{"data":["]","}{[",{"]":"}"}]}',
      texts: ['"]"', '"}{["', '{"]":"}"}'],
    },
    {
      name: 'an escaped quote does not end a text',
      text: String.raw`{"data":["\"","a\"]"]}`,
      texts: [String.raw`"\""`, String.raw`"a\"]"`],
    },
    {
      name: 'an escaped backslash before a quote does',
      text: String.raw`{"data":["\\","\\\\","\\\""]}`,
      texts: [String.raw`"\\"`, String.raw`"\\\\"`, String.raw`"\\\""`],
    },
    { name: 'other keys before and after', text: '{"meta":{"data":[9]},"x":1,"data":[1],"y":[2]}', texts: ['1'] },
    {
      name: 'the same key deeper does not count',
      text: '{"a":{"data":[1]},"b":[{"data":[2]}],"data":[3]}',
      texts: ['3'],
    },
    { name: 'the key as a text value does not count', text: '{"a":"data","data":[1]}', texts: ['1'] },
    { name: 'a key twice: the last one counts (S11)', text: '{"data":[1],"data":[2,3]}', texts: ['2', '3'] },
    { name: 'an escaped key is the key', text: String.raw`{"d\u0061ta":[1]}`, texts: ['1'] },
    {
      name: 'an escaped key twice: the last one counts',
      text: String.raw`{"data":[1],"d\u0061t\u0061":[2]}`,
      texts: ['2'],
    },
    { name: 'a key that ends in a backslash', text: String.raw`{"data\\":[1],"data":[2]}`, texts: ['2'] },
    { name: 'a scalar behind it, up to the end', text: '{"data":[1],"x":2}', texts: ['1'] },
    { name: 'a scalar behind it, and a blank', text: '{"data":[1],"x":true }', texts: ['1'] },
    { name: 'no such key', text: '{"items":[1]}', texts: [] },
    { name: 'an empty object', text: '{}', texts: [] },
    { name: 'duplicate keys within an element stay (S11)', text: '{"data":[{"a":1,"a":2}]}', texts: ['{"a":1,"a":2}'] },
    {
      name: '__proto__ is a key like any other (S11)',
      text: '{"__proto__":[1],"data":[{"__proto__":2}]}',
      texts: ['{"__proto__":2}'],
    },
  ])('$name', ({ text, texts }) => {
    expect(elementTexts(text, 'data')).toEqual(texts)
  })

  test('200,000 levels of nesting are one element and no stack overflow (S11)', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    expect(elementTexts(`{"data":[${deep},1]}`, 'data')).toEqual([deep, '1'])
  })

  test('a megabyte of backslashes is read in one go', () => {
    const long = `"${'\\\\'.repeat(500_000)}"`
    expect(elementTexts(`{"data":[${long}]}`, 'data')).toEqual([long])
  })
})

/** JSON texts as no serializer writes them: blanks anywhere, any escapes, keys more than once. */
const blank = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 })
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'datx{}[],:01') },
  fc.constantFrom(
    '\\"',
    '\\\\',
    '\\/',
    '\\n',
    '\\u0061',
    '\\u005d',
    '\\ud83d\\ude00',
    '\\ud800',
    '\u2028',
    'ñ',
    '😀',
    '\u007f',
  ),
)
const string = fc.array(character, { maxLength: 8 }).map(parts => `"${parts.join('')}"`)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => JSON.stringify(value)),
  fc.constantFrom('0', '-0', '1E+2', '0.10', '123456789012345678901234567890', '1e999'),
)
const key = fc.oneof(string, fc.constantFrom('"data"', '"d\\u0061ta"', '"__proto__"', '"items"'))

const spaced = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(blank, text, blank).map(parts => parts.join(''))
const arrayOf = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    blank.map(inside => `[${inside}]`),
    fc.array(spaced(value), { minLength: 1, maxLength: 5 }).map(values => `[${values.join(',')}]`),
  )
const objectOf = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    blank.map(inside => `{${inside}}`),
    fc
      .array(
        fc.tuple(spaced(key), spaced(value)).map(pair => pair.join(':')),
        { minLength: 1, maxLength: 5 },
      )
      .map(pairs => `{${pairs.join(',')}}`),
  )
const { value } = fc.letrec<{ value: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    fc.oneof(string, number, fc.constantFrom('true', 'false', 'null')),
    arrayOf(tie('value')),
    objectOf(tie('value')),
  ),
}))

describe('elementTexts of any JSON object', () => {
  /** What stands under the key has to be an array: its readers ask for nothing else. */
  const document = fc
    .tuple(
      fc.array(fc.tuple(spaced(key), spaced(value))),
      spaced(fc.constantFrom('"data"', '"\\u0064ata"')),
      spaced(arrayOf(value)),
      blank,
    )
    .map(
      ([pairs, name, array, end]) => `${end}{${[...pairs, [name, array]].map(pair => pair.join(':')).join(',')}}${end}`,
    )

  test('each text parses to the element that JSON.parse finds there, and only elements are kept', () => {
    fc.assert(
      fc.property(document, text => {
        const { data } = JSON.parse(text) as { data: unknown[] }
        const texts = elementTexts(text, 'data')
        expect(texts.map(element => JSON.parse(element))).toEqual(data)
        for (const element of texts) expect(element).toBe(element.trim())
      }),
      { numRuns: 2_000 },
    )
  })

  test('the texts are the original ones, in order', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 6 }),
        fc.array(blank, { minLength: 12, maxLength: 12 }),
        (elements, blanks) => {
          const inside = elements.map((element, index) => blanks[index] + element + blanks[index + 6]).join(',')
          expect(elementTexts(`{"data":[${inside}]}`, 'data')).toEqual(elements)
        },
      ),
    )
  })

  test('anything after the array is read over: a later key counts, even behind any value', () => {
    fc.assert(
      fc.property(value, spaced(value), (before, between) => {
        expect(elementTexts(`{"data":[${before}],"x":${between},"data":[1]}`, 'data')).toEqual(['1'])
      }),
    )
  })
})
