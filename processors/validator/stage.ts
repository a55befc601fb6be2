import { isUsableExternalId } from '../../schemas/ids.ts'
import type { Listing } from '../../schemas/records/listing.ts'
import type { RawProperty } from '../../schemas/records/raw-property.ts'
import type { Rejection } from '../../schemas/records/rejection.ts'
import { type Reason, routeOf } from '../../schemas/verdict.ts'
import { listingOf } from './listing.ts'
import { type PropertyAsSent, propertyAsSent } from './property.ts'
import type { RuleBook } from './rules/rule-book.ts'

export type Verdict =
  | { readonly route: 'accepted' | 'draft'; readonly listing: Listing }
  | { readonly route: 'rejected'; readonly rejection: Rejection }

/**
 * One raw property in, one verdict out. No clock, network or logger: the same record and rule book give the same verdict,
 * whatever the partner sent, and nothing that a partner can send makes it throw.
 */
export function validatorOf(book: RuleBook): (raw: RawProperty) => Verdict {
  return raw => {
    const property = propertyAsSent(raw.body, raw.received_at)
    const reasons = book.reasonsOf(property)
    const route = routeOf(reasons)
    return route === 'rejected'
      ? { route, rejection: rejectionOf(raw, property, reasons, book.ruleSet) }
      : { route, listing: listingOf(raw, property, reasons, book.ruleSet) }
  }
}

function rejectionOf(
  raw: RawProperty,
  { external_id }: PropertyAsSent,
  reasons: readonly Reason[],
  ruleSet: string,
): Rejection {
  return {
    partner: raw.partner,
    external_id: isUsableExternalId(external_id) ? external_id : null,
    cycle: raw.cycle,
    sequence: raw.sequence,
    received_at: raw.received_at,
    rule_set: ruleSet,
    reasons,
    body: raw.body.toWellFormed(),
  }
}
