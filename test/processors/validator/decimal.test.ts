import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalText } from '../../../processors/validator/decimal.ts'

test.each<[number, string]>([
  [0, '0'],
  [-0, '0'],
  [1, '1'],
  [25_000.5, '25000.5'],
  [0.1, '0.1'],
  [1e-6, '0.000001'],
  [1e-7, '0.0000001'],
  [1.25e-7, '0.000000125'],
  [999_999_999_999_999_900_000, '999999999999999900000'],
  [1e21, '1000000000000000000000'],
  [1.25e21, '1250000000000000000000'],
  [1.234_567_89e22, '12345678900000000000000'],
  [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
  [Number.MIN_VALUE, `0.${'0'.repeat(323)}5`],
])('decimalText(%d) is %s', (amount, text) => {
  expect(decimalText(amount)).toBe(text)
})

test('any amount is plain decimal text that reads back as the same number', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), amount => {
      const text = decimalText(amount)
      expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)
      expect(Number(text) === amount).toBe(true)
    }),
  )
})
