/** A property that breaks no rule. The rules' examples, the catalogue and the documents are made from it. */
export const EXAMPLE_PROPERTY = {
  external_id: 'CRM-1',
  property_type: 'office',
  modality: 'rent',
  updated_at: '2026-11-20T18:30:00Z',
  photos: ['https://cdn.acme.example/1.jpg', 'https://cdn.acme.example/2.jpg', 'https://cdn.acme.example/3.jpg'],
  amenities: ['elevador', 'estacionamiento'],
  price: { currency: 'MXN', rent_price: 25_000.5, sale_price: null },
  location: {
    latitude: 19.4326,
    longitude: -99.1332,
    street: 'Av. Paseo de la Reforma 100',
    city: 'Ciudad de México',
    state: 'Ciudad de México',
    postal_code: '06600',
  },
  contact: { name: 'María Hernández', email: 'maria@acme.example', phone: '5512345678' },
} as const

/** When the example is received: an hour after its `updated_at`. */
export const EXAMPLE_RECEIVED_AT_MS = Date.UTC(2026, 10, 20, 19, 30)

/**
 * The body of the example with something else at one place.
 *
 * @param field JSON Pointer of a rule, at most two steps deep; '' for the body as a whole
 * @param value stands there instead; an object is merged into the one that is there; for '' the body's text
 */
export function exampleBody(field: string, value: unknown): string {
  const [, first, second] = field.split('/')
  if (first === undefined) return String(value)
  const example: Readonly<Record<string, unknown>> = EXAMPLE_PROPERTY
  const change = second === undefined ? value : { [second]: value }
  return JSON.stringify({ ...example, [first]: merged(example[first], change) })
}

function merged(there: unknown, change: unknown): unknown {
  return isMergeable(there) && isMergeable(change) ? { ...there, ...change } : change
}

function isMergeable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
