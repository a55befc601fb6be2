import { createHash } from 'node:crypto'
import { PredioError } from '../../schemas/errors.ts'
import { stateOfPostalCode } from './states.ts'

/** What the rule book asks about a postal code. Codes are text of five digits. */
export interface PostalCodes {
  known(code: string): boolean
  /** Name of the state that the first two digits belong to; undefined where no code begins so. */
  stateOf(code: string): string | undefined
  /** Names the list; part of the rule-set version, because another list gives other verdicts. */
  readonly edition: string
}

/**
 * @param text  one code per line; blank lines and lines that begin with # do not count
 * @param name  of the list, for the error
 * @throws PredioError CONFIG_INVALID for a line that is no postal code, and for a list without any
 */
export function postalCodesOf(text: string, name: string): PostalCodes {
  // One bit for each of 100,000 codes: 12.5 kB.
  const bits = new Uint8Array(12_500)
  let count = 0
  for (const [index, line] of text.split('\n').entries()) {
    const code = line.trim()
    if (code === '' || code.startsWith('#')) continue
    if (!/^\d{5}$/.test(code) || stateOfPostalCode(code) === undefined) {
      throw new PredioError('CONFIG_INVALID', { 'postal code list': name, line: index + 1, found: code.slice(0, 20) })
    }
    const number = Number(code)
    bits[number >> 3]! |= 1 << (number & 7)
    count += 1
  }
  if (count === 0) throw new PredioError('CONFIG_INVALID', { 'postal code list': name, found: 'no postal code' })
  return {
    known: code => (bits[Number(code) >> 3]! & (1 << (Number(code) & 7))) !== 0,
    stateOf: stateOfPostalCode,
    edition: createHash('sha256').update(bits).digest('hex').slice(0, 8),
  }
}
