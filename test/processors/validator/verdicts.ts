import fc from 'fast-check'
import { loadPostalCodes } from '../../../data/postal-codes.ts'
import { propertyAsSent } from '../../../processors/validator/property.ts'
import { ruleBook } from '../../../processors/validator/rules/rule-book.ts'
import type { RawProperty } from '../../../schemas/records/raw-property.ts'
import type { Reason } from '../../../schemas/verdict.ts'
import { listing, type Overrides } from '../../support/listings.ts'

export const BOOK = ruleBook({ postalCodes: loadPostalCodes() })
export const RECEIVED_AT_MS = Date.UTC(2026, 10, 21, 12)

export function rawProperty(body: string): RawProperty {
  return { partner: 'acme', cycle: 7, sequence: 3, received_at: RECEIVED_AT_MS, page: 0, body }
}

/** What the rule book says of any JSON value. */
export function reasonsFor(property: unknown): readonly Reason[] {
  return BOOK.reasonsOf(propertyAsSent(JSON.stringify(property), RECEIVED_AT_MS))
}

/** Codes of all rules that a good listing with these changes breaks. */
export function codesFor(changes: Overrides): readonly string[] {
  return reasonsFor(listing(changes)).map(({ code }) => code)
}

/** The one reason of a good listing with these changes; fails where there is another number of them. */
export function onlyReason(changes: Overrides): Reason {
  const [reason, ...others] = reasonsFor(listing(changes))
  if (reason === undefined || others.length > 0) {
    throw new Error(`one reason expected, found: ${codesFor(changes).join(', ') || 'none'}`)
  }
  return reason
}

/** Any text at all, half characters and control characters included. (fast-check's own `binary` unit takes seconds to start.) */
export const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map(units => String.fromCharCode(...units))
