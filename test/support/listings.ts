import { catalogueOf, type Entry, type Listing } from '../../examples/partner-crm/listings.mjs'

/** Fields to replace: objects are merged, everything else is taken as it is, `undefined` leaves the field out. */
export interface Overrides {
  readonly [field: string]: unknown
}

const VALID: Listing = {
  external_id: 'CRM-1',
  property_type: 'office',
  modality: 'rent_and_sale',
  updated_at: '2025-03-04T10:30:00.000Z',
  title: 'Oficina en venta o renta en Juárez, Ciudad de México',
  description: 'Oficina de 120 m² con estacionamiento y elevador.',
  area_m2: 120,
  amenities: ['estacionamiento', 'elevador'],
  photos: [1, 2, 3].map(number => `https://fotos.partner-crm.example/CRM-1/${number}.jpg`),
  price: { currency: 'MXN', rent_price: 42_000, sale_price: 6_300_000 },
  location: {
    latitude: 19.427,
    longitude: -99.1677,
    street: 'Av. Paseo de la Reforma 222',
    city: 'Ciudad de México',
    state: 'Ciudad de México',
    postal_code: '06600',
  },
  contact: { name: 'Guadalupe Hernández', email: 'guadalupe@inmuebles-norte.example', phone: '5552345678' },
}

const isPlainObject = (value: unknown): value is Overrides =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function merged(base: unknown, overrides: unknown): unknown {
  if (!isPlainObject(base) || !isPlainObject(overrides)) return structuredClone(overrides)
  const kept = Object.entries(base).filter(([field]) => !(field in overrides))
  const taken = Object.entries(overrides)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, merged(base[field], value)])
  return Object.fromEntries([...structuredClone(kept), ...taken])
}

/** One listing that breaks no rule, with `overrides` merged in; typed as if they had left it valid. */
export function listing(overrides: Overrides = {}): Listing {
  return merged(VALID, overrides) as Listing
}

/** Listings 1 to `count` of the sample partner, each with the codes of the rules it was made to break. */
export function entries(count: number, seed = 1): readonly Entry[] {
  return [...catalogueOf({ count, seed }).entries.values()]
}

/** The same as the feed serves them: about 85 of 100 are fine. */
export function listings(count: number, seed = 1): readonly Entry['listing'][] {
  return entries(count, seed).map(entry => entry.listing)
}
