import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  arrayLiteral,
  bigintArray,
  doubleArray,
  textArray,
  timestampArray,
} from '../../../connectors/catalog-sink/array-parameters.ts'

const client = new pg.Client({ connectionString: inject('stack').databaseUrl })
beforeAll(async () => {
  await client.connect()
})
afterAll(() => client.end())

async function roundTrip(buffer: Buffer, arrayType: string, read = 'value'): Promise<unknown[]> {
  const { rows } = await client.query({
    text: `SELECT ${read} FROM unnest($1::${arrayType}) WITH ORDINALITY AS sent(value, position) ORDER BY position`,
    values: [buffer],
    rowMode: 'array',
  })
  return rows.flat()
}

const anyText = fc.string({ unit: 'binary' }).map(text => text.replaceAll('\0', ''))
const column = <T>(value: fc.Arbitrary<T>) => fc.array(fc.option(value, { nil: null }), { minLength: 1 })
/** What a JavaScript date can be and PostgreSQL prints without BC. */
const anyMs = fc.date({ min: new Date('0001-01-01T00:00:00Z'), noInvalidDate: true }).map(date => date.getTime())
const holds = <T>(values: fc.Arbitrary<T>, check: (values: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(values, check), { numRuns: 50 })

test('texts arrive as they were sent', () =>
  holds(column(anyText), async values => {
    expect(await roundTrip(textArray(values), 'text[]')).toEqual(values)
  }))

test('array literals arrive as arrays', () =>
  holds(fc.array(fc.array(anyText), { minLength: 1 }), async values => {
    expect(await roundTrip(textArray(values.map(arrayLiteral)), 'text[]', 'value::text[]')).toEqual(values)
  }))

test('whole numbers arrive as they were sent', () =>
  holds(column(fc.maxSafeInteger()), async values => {
    const expected = values.map(value => (value === null ? null : String(value)))
    expect(await roundTrip(bigintArray(values), 'bigint[]')).toEqual(expected)
  }))

test('doubles arrive as they were sent', () =>
  holds(column(fc.double({ noNaN: true })), async values => {
    expect(await roundTrip(doubleArray(values), 'float8[]')).toEqual(values)
  }))

test('instants arrive to the millisecond', () =>
  holds(column(anyMs), async values => {
    const inMs = '(extract(epoch FROM value) * 1000)::float8'
    expect(await roundTrip(timestampArray(values), 'timestamptz[]', inMs)).toEqual(values)
  }))

test.each([
  { name: 'NUL', text: 'a\0b' },
  { name: 'a lone high surrogate', text: 'a\ud800' },
  { name: 'a lone low surrogate', text: '\udc00a' },
])('$name is refused as no text (reliability S12)', async ({ text }) => {
  await expect(roundTrip(textArray([text]), 'text[]')).rejects.toMatchObject({ code: '22021' })
})
