import type { Listing } from '../../schemas/records/listing.ts'
import type { RawProperty } from '../../schemas/records/raw-property.ts'
import type { Reason } from '../../schemas/verdict.ts'
import { decimalText } from './decimal.ts'
import type { PropertyAsSent } from './property.ts'
import { FUTURE_TOLERANCE_MS } from './rules/dates.ts'
import { plainText } from './text.ts'

/**
 * The typed listing. The casts hold because no BLOCK rule is broken: those cannot be configured away (`rule-book.ts`).
 * Texts lose control characters and blanks around them and are otherwise as sent; the body keeps everything.
 */
export function listingOf(
  raw: RawProperty,
  property: PropertyAsSent,
  reasons: readonly Reason[],
  ruleSet: string,
): Listing {
  return {
    partner: raw.partner,
    external_id: property.external_id as string,
    cycle: raw.cycle,
    sequence: raw.sequence,
    received_at: raw.received_at,
    property_type: property.property_type as string,
    modality: property.modality as string,
    currency: property.currency as string,
    rent_price: amountText(property.rent_price),
    sale_price: amountText(property.sale_price),
    latitude: property.latitude as number,
    longitude: property.longitude as number,
    street: plainText(property.street as string),
    city: plainText(property.city as string),
    state: plainText(property.state as string),
    postal_code: property.postal_code as string,
    contact_name: plainText(property.contact_name as string),
    contact_email: property.contact_email as string,
    contact_phone: property.phone!.digits,
    photos: property.photoUrls,
    amenities: property.amenityNames,
    updated_at: usableInstant(property),
    rule_set: ruleSet,
    reasons,
    body: raw.body.toWellFormed(),
  }
}

function amountText(amount: unknown): string | null {
  return typeof amount === 'number' ? decimalText(amount) : null
}

/** Null as well where the date lies in the future: nobody can sort by it. */
function usableInstant({ updatedAtMs, receivedAtMs }: PropertyAsSent): number | null {
  return updatedAtMs === undefined || updatedAtMs > receivedAtMs + FUTURE_TOLERANCE_MS ? null : updatedAtMs
}
