import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { phoneReadingOf } from '../../../processors/validator/phone.ts'

describe('valid numbers', () => {
  test.each([
    { name: 'ten national digits', phone: '5512345678', digits: '5512345678' },
    { name: 'with separators', phone: ' (55) 1234-5678', digits: '5512345678' },
    { name: 'with dashes of other kinds', phone: '55–1234−5678', digits: '5512345678' },
    { name: 'with the country code', phone: '525512345678', digits: '5512345678' },
    { name: 'with plus and country code', phone: '+52 55 1234 5678', digits: '5512345678' },
    { name: 'with plus in brackets', phone: '(+52) 55 1234 5678', digits: '5512345678' },
    { name: 'with 00 and country code', phone: '00 52 55 1234 5678', digits: '5512345678' },
    { name: 'with 521', phone: '5215512345678', digits: '5512345678' },
    { name: 'with +52 1', phone: '+52 1 55 1234 5678', digits: '5512345678' },
    { name: 'with 044', phone: '044 55 1234 5678', digits: '5512345678' },
    { name: 'with 045', phone: '0458112345678', digits: '8112345678' },
    { name: 'ten digits that begin like a prefix', phone: '5215512345', digits: '5215512345', isValid: false },
    { name: 'toll-free', phone: '800 123 4567', digits: '8001234567' },
    { name: 'abroad, with its country code', phone: '+1 (415) 555-2671', digits: '14155552671' },
    { name: 'abroad, dialled with 00', phone: '0014155552671', digits: '14155552671' },
    { name: 'ten digits abroad', phone: '+4930123456', digits: '4930123456' },
  ])('$name: $phone', ({ phone, digits, isValid = true }) => {
    expect(phoneReadingOf(phone)).toEqual({ digits, isValid })
  })
})

describe('digits that are no valid number are kept as sent', () => {
  test.each([
    { phone: '1234567890', digits: '1234567890' },
    { phone: '55-1234', digits: '551234' },
    { phone: '521 00 1234 5678', digits: '5210012345678' },
    { phone: '14155552671', digits: '14155552671' },
    { phone: '+5512', digits: '5512' },
    { phone: '+5512345678', digits: '5512345678' },
    { phone: '+999 123 456 789', digits: '999123456789' },
    { phone: '0049301234', digits: '0049301234' },
    { phone: '9'.repeat(400), digits: '9'.repeat(400) },
  ])('$phone', ({ phone, digits }) => {
    expect(phoneReadingOf(phone)).toEqual({ digits, isValid: false })
  })
})

test.each([
  undefined,
  null,
  5_512_345_678,
  true,
  [],
  {},
  '',
  ' ',
  '+',
  '()-. /',
  '55a',
  '5512345678 ext 1',
  '55+1234',
  '++52',
  '٥٥١٢٣٤٥٦٧٨',
])('nothing can be dialled from %j', value => {
  expect(phoneReadingOf(value)).toBeUndefined()
})

test('for ten digits the word by area is libphonenumber’s own, number by number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), number => {
      const digits = String(number).padStart(10, '0')
      const parsed = parsePhoneNumberFromString(digits, 'MX')
      const isMexican = parsed?.country === 'MX' && parsed.isValid()
      expect(phoneReadingOf(digits)).toEqual({ digits, isValid: isMexican })
    }),
    { numRuns: 500 },
  )
})

test('the answer does not depend on what was asked before', () => {
  const first = phoneReadingOf('7221234567')
  phoneReadingOf('7220000000')
  expect(phoneReadingOf('7221234567')).toEqual(first)
  expect(first).toEqual({ digits: '7221234567', isValid: true })
})

test('text made to be slow to match is judged at once', () => {
  const started = performance.now()
  for (const filler of [' ', '(', '( ', '-', '1', ' 1']) {
    expect(phoneReadingOf(`${filler.repeat(200_000)}x`)).toBeUndefined()
  }
  expect(performance.now() - started).toBeLessThan(1_000)
})
