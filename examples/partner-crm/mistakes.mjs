// Ways in which a listing goes wrong in a real CRM, each with the code of the quality rule that it breaks.
// Tests and the demo need them; a CRM engineer does not: look at server.mjs instead.

/** A mistake takes a sound listing that it `fits` and returns the wrong one; `code` is the rule that must notice. */
const mistake = (code, make, fits = () => true) => ({ code, make, fits })

const without = (object, field) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== field))
const set = fields => listing => ({ ...listing, ...fields })
const drop = field => listing => without(listing, field)
const setIn = (part, fields) => listing => ({ ...listing, [part]: { ...listing[part], ...fields } })
const dropIn = (part, field) => listing => ({ ...listing, [part]: without(listing[part], field) })
const isFor = modality => listing => listing.modality === modality

/** Severity BLOCK: the listing is refused. */
export const BLOCKING = [
  mistake('external_id_missing', drop('external_id')),
  mistake('external_id_missing', set({ external_id: 48213 })),
  mistake('external_id_unusable', listing => ({ ...listing, external_id: listing.external_id.padEnd(256, '0') })),
  mistake('external_id_unusable', listing => ({ ...listing, external_id: `${listing.external_id}\u0007` })),
  mistake('property_type_unknown', set({ property_type: 'edificio' })),
  mistake('property_type_unknown', set({ property_type: 'bodega' })),
  mistake('property_type_unknown', set({ property_type: 'casa' })),
  mistake('property_type_unknown', drop('property_type')),
  mistake('modality_unknown', set({ modality: 'renta' })),
  mistake('modality_unknown', drop('modality')),
  // Beside a good sale price, so that only the malformed amount can give the listing away.
  mistake('rent_price_invalid', setIn('price', { rent_price: '25,000' }), isFor('sale')),
  mistake('rent_price_invalid', setIn('price', { rent_price: -25_000 }), isFor('sale')),
  mistake('sale_price_invalid', setIn('price', { sale_price: '$4,500,000 MXN' }), isFor('rent')),
  mistake('price_missing', setIn('price', { rent_price: null, sale_price: null })),
  mistake('price_missing', setIn('price', { rent_price: 0, sale_price: 0 })),
  mistake('currency_unknown', setIn('price', { currency: 'MX$' })),
  mistake('currency_unknown', dropIn('price', 'currency')),
  mistake('latitude_invalid', listing => setIn('location', { latitude: String(listing.location.latitude) })(listing)),
  mistake('latitude_invalid', setIn('location', { latitude: 194.326 })),
  mistake('longitude_invalid', setIn('location', { longitude: -1033.475 })),
  mistake('longitude_invalid', dropIn('location', 'longitude')),
  mistake('street_missing', setIn('location', { street: '   ' })),
  mistake('city_missing', dropIn('location', 'city')),
  mistake('state_missing', setIn('location', { state: null })),
  // A spreadsheet took 06600 for a number: the leading zero is lost.
  mistake(
    'postal_code_malformed',
    listing => setIn('location', { postal_code: listing.location.postal_code.slice(1) })(listing),
    listing => listing.location.postal_code.startsWith('0'),
  ),
  mistake('postal_code_malformed', setIn('location', { postal_code: 'C.P. 44100' })),
  mistake('postal_code_malformed', setIn('location', { postal_code: '19500' })), // no code begins with 19
  mistake('contact_name_missing', setIn('contact', { name: '' })),
  mistake('contact_email_invalid', setIn('contact', { email: 'ventas en inmuebles-norte.example' })),
  mistake('contact_email_invalid', dropIn('contact', 'email')),
  mistake('contact_phone_invalid', setIn('contact', { phone: 'pedir en recepción' })),
  mistake('contact_phone_invalid', setIn('contact', { phone: null })),
]

/** Severity DRAFT, photos aside: the listing is kept, but not published. */
export const DRAFTING = [
  mistake('price_not_for_modality', set({ modality: 'sale' }), isFor('rent')),
  mistake('price_not_for_modality', setIn('price', { sale_price: null }), isFor('rent_and_sale')),
  mistake('location_outside_mexico', setIn('location', { latitude: 0, longitude: 0 })),
  // Swapped. West of 90 degrees the swap is no possible latitude, so it takes a listing of the far east of the country.
  mistake(
    'location_outside_mexico',
    ({ location, ...rest }) => ({
      ...rest,
      location: { ...location, latitude: location.longitude, longitude: location.latitude },
    }),
    listing => listing.location.longitude > -90,
  ),
  mistake('state_unknown', setIn('location', { state: 'Comarca Lagunera' })),
  mistake('state_unknown', setIn('location', { state: 'Bajío' })),
  // No list of Mexican postal codes has a code of these cities that ends in 999.
  mistake('postal_code_unknown', listing =>
    setIn('location', { postal_code: `${listing.location.postal_code.slice(0, 2)}999` })(listing),
  ),
  mistake('postal_code_not_in_state', listing =>
    setIn('location', { postal_code: listing.location.state === 'Jalisco' ? '64000' : '44100' })(listing),
  ),
  mistake('contact_phone_unlikely', setIn('contact', { phone: '1234567890' })),
  mistake('contact_phone_unlikely', listing => setIn('contact', { phone: listing.contact.phone.slice(-7) })(listing)),
  mistake('updated_at_invalid', set({ updated_at: '15/03/2025 10:30' })),
  mistake('updated_at_invalid', set({ updated_at: '2099-12-31T23:59:59.000Z' })),
]

/** Severity DRAFT as well, and by far the commonest. */
export const TOO_FEW_PHOTOS = [
  mistake('photos_too_few', listing => ({ ...listing, photos: listing.photos.slice(0, 2) })),
  mistake('photos_too_few', listing => ({ ...listing, photos: listing.photos.slice(0, 1) })),
  mistake('photos_too_few', set({ photos: [] })),
  mistake('photos_too_few', drop('photos')),
  mistake('photos_too_few', listing => ({ ...listing, photos: listing.photos.map(() => listing.photos[0]) })),
]

/** Severity WARN: the listing is published all the same. */
export const WITHOUT_AMENITIES = [
  mistake('amenities_missing', set({ amenities: [] })),
  mistake('amenities_missing', drop('amenities')),
]
