import { describe, expect, test } from 'vitest'
import { postalCodesOf } from '../../../processors/validator/postal-codes.ts'
import { PredioError } from '../../../schemas/errors.ts'

describe('postalCodesOf', () => {
  test('knows the codes of the list and no neighbour of them', () => {
    const codes = postalCodesOf('# head\n\n01000\n06600\r\n  44107 \n99999\n', 'test')
    const all = Array.from({ length: 100_000 }, (_, code) => String(code).padStart(5, '0'))
    expect(all.filter(code => codes.known(code))).toEqual(['01000', '06600', '44107', '99999'])
  })

  test('knows a code’s state, also of codes that are not on the list', () => {
    const codes = postalCodesOf('06600', 'test')
    expect(codes.stateOf('44100')).toBe('Jalisco')
    expect(codes.stateOf('17000')).toBeUndefined()
  })

  test('the edition is that of the codes, not of the order or the comments', () => {
    const { edition } = postalCodesOf('06600\n44100', 'test')
    expect(edition).toMatch(/^[0-9a-f]{8}$/)
    expect(postalCodesOf('# other\n44100\n06600\n06600\n', 'other').edition).toBe(edition)
    expect(postalCodesOf('06600\n44101', 'test').edition).not.toBe(edition)
  })

  test.each([
    { name: 'four digits', text: '06600\n6600', says: /list.txt.*line 2.*6600/ },
    { name: 'six digits', text: '066000', says: /line 1.*066000/ },
    { name: 'another column', text: '# h\n\n06600,CDMX', says: /line 3/ },
    { name: 'a prefix that no state has', text: '17000', says: /line 1.*17000/ },
    { name: 'nothing', text: '', says: /no postal code/ },
    { name: 'comments alone', text: '# 06600\n', says: /no postal code/ },
  ])('$name: the list is refused', ({ text, says }) => {
    const load = () => postalCodesOf(text, 'list.txt')
    expect(load).toThrow(says)
    expect(load).toThrow(PredioError)
    expect(load).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  test('a long line is not repeated whole', () => {
    expect(() => postalCodesOf('x'.repeat(5_000), 'test')).toThrow(/^.{1,250}$/s)
  })
})
