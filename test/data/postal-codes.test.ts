import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadPostalCodes, SHIPPED_LIST } from '../../data/postal-codes.ts'

const lines = readFileSync(SHIPPED_LIST, 'utf8').trimEnd().split('\n')
const listed = lines.filter(line => !line.startsWith('#'))

describe('the shipped list (data/README.md)', () => {
  test('names its source and licence, in the file and beside it', () => {
    const readme = readFileSync(new URL('./README.md', SHIPPED_LIST), 'utf8')
    for (const text of [lines.slice(0, 2).join(' '), readme]) {
      expect(text).toMatch(/GeoNames/)
      expect(text).toMatch(/CC BY 4\.0|Creative Commons Attribution 4\.0/)
    }
    expect(readme).toContain('32,448')
  })

  test('holds 32,448 codes, ascending, none twice, of all 96 prefixes', () => {
    expect(listed).toHaveLength(32_448)
    expect(listed.every((code, index) => index === 0 || code > listed[index - 1]!)).toBe(true)
    expect(new Set(listed.map(code => code.slice(0, 2))).size).toBe(96)
  })

  test('loads: what is on it is known, what is not is not', () => {
    const codes = loadPostalCodes()
    expect(listed.every(code => codes.known(code))).toBe(true)
    const all = Array.from({ length: 100_000 }, (_, code) => String(code).padStart(5, '0'))
    expect(all.filter(code => codes.known(code))).toHaveLength(listed.length)
  })
})

test('a file that is not there is a mistake of the configuration, said in one sentence', () => {
  expect(() => loadPostalCodes('/nowhere/codes.txt')).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/^[^\n]*\/nowhere\/codes\.txt[^\n]*no readable file[^\n]*$/),
    }),
  )
})
