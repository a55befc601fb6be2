import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBlank, plainText } from '../../../processors/validator/text.ts'
import { anyText } from './verdicts.ts'

describe('isBlank', () => {
  test.each(['', ' ', '\t\r\n', '\u00a0', '\u200b\u200d', '\ufeff', '\u0000\u001f', '\ud800', '\u2028'])(
    '%j is blank',
    text => {
      expect(isBlank(text)).toBe(true)
    },
  )

  test.each(['a', ' a', '\u0000a', '0', '-', 'ñ', '中', '😀'])('%j is not', text => {
    expect(isBlank(text)).toBe(false)
  })
})

describe('plainText', () => {
  test.each([
    ['Av. Juárez 1', 'Av. Juárez 1'],
    ['  Av.  Juárez 1 \n', 'Av.  Juárez 1'],
    ['Av.\u0000Juárez\t1', 'Av. Juárez 1'],
    ['\u0001a\u001fb\u007fc\u009f', 'a b c'],
    ['a\ud800b', 'a\ufffdb'],
    ['😀', '😀'],
    ['a\u00a0b', 'a\u00a0b'],
  ])('%j -> %j', (text, plain) => {
    expect(plainText(text)).toBe(plain)
  })

  test('any text comes out well-formed, without control characters and without blanks around it', () => {
    fc.assert(
      fc.property(anyText, text => {
        const plain = plainText(text)
        expect(plain.isWellFormed()).toBe(true)
        expect(plain).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|^\s|\s$/)
      }),
    )
  })
})
