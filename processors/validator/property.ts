import { instantOf } from '../../schemas/instant.ts'
import { type PhoneReading, phoneReadingOf } from './phone.ts'
import { isBlank, plainText } from './text.ts'

/**
 * A property as the partner sent it: the fields that the rules look at, whatever their JSON type. Absent fields, and
 * fields of something that is no object, are undefined. What both a rule and the listing need is read once, here.
 */
export interface PropertyAsSent {
  /** `unreadable`: the body is no JSON; `other`: it is JSON, but no object. All fields are undefined then. */
  readonly whole: 'object' | 'other' | 'unreadable'
  readonly sent: unknown
  readonly receivedAtMs: number
  readonly external_id: unknown
  readonly property_type: unknown
  readonly modality: unknown
  readonly price: unknown
  readonly currency: unknown
  readonly rent_price: unknown
  readonly sale_price: unknown
  readonly location: unknown
  readonly latitude: unknown
  readonly longitude: unknown
  readonly street: unknown
  readonly city: unknown
  readonly state: unknown
  readonly postal_code: unknown
  readonly contact: unknown
  readonly contact_name: unknown
  readonly contact_email: unknown
  readonly contact_phone: unknown
  /** Undefined where `contact_phone` is no text or holds anything but digits and separators. */
  readonly phone: PhoneReading | undefined
  readonly photos: unknown
  readonly photoUrls: readonly string[]
  readonly amenities: unknown
  readonly amenityNames: readonly string[]
  readonly updated_at: unknown
  /** Undefined where `updated_at` is no RFC 3339 date-time. */
  readonly updatedAtMs: number | undefined
}

/**
 * @param body         the partner's JSON text of one property
 * @param receivedAtMs when we read it, milliseconds since the Unix epoch
 * @throws never
 */
export function propertyAsSent(body: string, receivedAtMs: number): PropertyAsSent {
  let sent: unknown
  try {
    sent = JSON.parse(body)
  } catch {
    return fieldsOf(undefined, 'unreadable', receivedAtMs)
  }
  return fieldsOf(sent, isObject(sent) ? 'object' : 'other', receivedAtMs)
}

function fieldsOf(sent: unknown, whole: PropertyAsSent['whole'], receivedAtMs: number): PropertyAsSent {
  const property = fieldsIn(sent)
  const price = fieldsIn(property.price)
  const location = fieldsIn(property.location)
  const contact = fieldsIn(property.contact)
  return {
    whole,
    sent,
    receivedAtMs,
    external_id: property.external_id,
    property_type: property.property_type,
    modality: property.modality,
    price: property.price,
    currency: price.currency,
    rent_price: price.rent_price,
    sale_price: price.sale_price,
    location: property.location,
    latitude: location.latitude,
    longitude: location.longitude,
    street: location.street,
    city: location.city,
    state: location.state,
    postal_code: location.postal_code,
    contact: property.contact,
    contact_name: contact.name,
    contact_email: contact.email,
    contact_phone: contact.phone,
    phone: phoneReadingOf(contact.phone),
    photos: property.photos,
    photoUrls: photoUrlsOf(property.photos),
    amenities: property.amenities,
    amenityNames: amenityNamesOf(property.amenities),
    updated_at: property.updated_at,
    updatedAtMs: instantOf(property.updated_at),
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const NO_FIELDS: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null))

/**
 * Plain reads of it see own properties alone: JSON.parse makes `__proto__` an own property like any other, and no field of
 * the contract is a name that objects inherit. `Object.hasOwn` for each field would take 1 us a listing.
 */
function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : NO_FIELDS
}

/** An http(s) address without blanks, control characters or lone surrogates; the host is not looked up. */
const HTTP_URL = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\p{C}/?#][^\s\p{C}]*$/u

/** The distinct http(s) addresses in the order sent; a photo sent twice is one photo. */
function photoUrlsOf(photos: unknown): readonly string[] {
  if (!Array.isArray(photos)) return []
  const distinct = new Set<string>()
  for (const photo of photos) if (typeof photo === 'string' && HTTP_URL.test(photo)) distinct.add(photo)
  return [...distinct]
}

/** The contract names no shape for amenities, so texts count, and objects by their `name`, as several CRMs send them. */
function amenityNamesOf(amenities: unknown): readonly string[] {
  if (!Array.isArray(amenities)) return []
  const names: string[] = []
  for (const amenity of amenities) {
    const name = typeof amenity === 'string' ? amenity : fieldsIn(amenity).name
    if (typeof name === 'string' && !isBlank(name)) names.push(plainText(name))
  }
  return names
}
