import { readFileSync } from 'node:fs'
import { type PostalCodes, postalCodesOf } from '../processors/validator/postal-codes.ts'
import { PredioError } from '../schemas/errors.ts'

/** The list that Predio ships; origin and licence are in data/README.md. */
export const SHIPPED_LIST = new URL('./mx-postal-codes.txt', import.meta.url)

/**
 * Reads a list of postal codes, at start and never again. The shipped one takes some 20 ms.
 *
 * @throws PredioError CONFIG_INVALID where the file cannot be read or holds anything but postal codes
 */
export function loadPostalCodes(file: string | URL = SHIPPED_LIST): PostalCodes {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new PredioError('CONFIG_INVALID', { 'postal code list': String(file), found: 'no readable file' }, { cause })
  }
  return postalCodesOf(text, String(file))
}
