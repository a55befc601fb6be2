import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** What a telephone number as sent comes to. */
export interface PhoneReading {
  /**
   * Valid Mexican numbers: the ten national digits, without 52 or an old prefix. Valid numbers of other countries: with
   * their country code. Anything else: the digits as sent, so nobody's number is guessed at.
   */
  readonly digits: string
  readonly isValid: boolean
}

/** Digits and the usual separators, at most one plus and that in front. The two runs share no border: linear time. */
const DIALLABLE = /^[\s(]*(?:[+\d).\-\u2010-\u2015\u2212/][\d\s().\-\u2010-\u2015\u2212/]*)?$/
const NATIONAL = /^\d{10}$/
/** 52 country code; 521 and 044/045 marked mobiles until August 2019. CRMs still hold them. */
const NATIONAL_BEHIND_PREFIX = /^(?:52|521|044|045)(\d{10})$/
/** The old mobile prefixes, as the rule's message names them. */
export const OLD_MOBILE_PREFIX = /^(?:521|044|045)\d{10}$/

/** @returns undefined for what is no text, has no digit, or has other characters than digits and separators */
export function phoneReadingOf(value: unknown): PhoneReading | undefined {
  if (typeof value !== 'string') return undefined
  if (NATIONAL.test(value)) return { digits: value, isValid: isInService(value) }
  if (!DIALLABLE.test(value)) return undefined
  const digits = value.replace(/\D/g, '')
  if (digits === '') return undefined
  const international = value.includes('+')
  const national = !international && NATIONAL.test(digits) ? digits : NATIONAL_BEHIND_PREFIX.exec(digits)?.[1]
  if (national !== undefined && isInService(national)) return { digits: national, isValid: true }
  const parsed = parsePhoneNumberFromString(international ? `+${digits}` : digits, 'MX')
  if (parsed === undefined || !parsed.isValid()) return { digits, isValid: false }
  return { digits: parsed.country === 'MX' ? parsed.nationalNumber : parsed.number.slice(1), isValid: true }
}

/** By first three digits: 0 not asked yet, 1 in service, 2 not. Never more than a thousand entries. */
const areas = new Uint8Array(1_000)

/**
 * Whether ten national digits can be a Mexican number. The plan gives numbers out by area, which the first three of ten
 * digits tell, so libphonenumber (11 us for one number) is asked once for an area and not once for a listing.
 */
function isInService(national: string): boolean {
  const area = national.slice(0, 3)
  const index = Number(area)
  if (areas[index] === 0) {
    const number = parsePhoneNumberFromString(`${area}2000000`, 'MX')
    areas[index] = number?.country === 'MX' && number.isValid() ? 1 : 2
  }
  return areas[index] === 1
}
