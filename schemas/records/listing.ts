import type { Reason } from '../verdict.ts'

/**
 * A property that passed every blocking rule, typed. Prices are decimal text in units of `currency`, so no amount is
 * rounded on the way to the catalog. Times are milliseconds since the Unix epoch.
 */
export interface Listing {
  readonly partner: string
  readonly external_id: string
  readonly cycle: number
  readonly sequence: number
  readonly received_at: number
  readonly property_type: string
  readonly modality: string
  readonly currency: string
  readonly rent_price: string | null
  readonly sale_price: string | null
  readonly latitude: number
  readonly longitude: number
  readonly street: string
  readonly city: string
  readonly state: string
  readonly postal_code: string
  readonly contact_name: string
  readonly contact_email: string
  readonly contact_phone: string
  readonly photos: readonly string[]
  readonly amenities: readonly string[]
  readonly updated_at: number | null
  readonly rule_set: string
  /** WARN reasons of an accepted listing, DRAFT and WARN reasons of a draft. */
  readonly reasons: readonly Reason[]
  readonly body: string
}

export const sampleListing: Listing = {
  partner: 'acme',
  external_id: 'CRM-1',
  cycle: 1_790_000_000_000,
  sequence: 0,
  received_at: 1_790_000_000_250,
  property_type: 'office',
  modality: 'rent',
  currency: 'MXN',
  rent_price: '25000.5',
  sale_price: null,
  latitude: 19.4326,
  longitude: -99.1332,
  street: 'Av. Paseo de la Reforma 100',
  city: 'Ciudad de México',
  state: 'Ciudad de México',
  postal_code: '06600',
  contact_name: 'María Hernández',
  contact_email: 'maria@acme.example',
  contact_phone: '5512345678',
  photos: ['https://cdn.acme.example/1.jpg'],
  amenities: [],
  updated_at: 1_789_999_000_000,
  rule_set: '1',
  reasons: [],
  body: '{"external_id":"CRM-1"}',
}
