import { describe, expect, test } from 'vitest'
import { loadPostalCodes } from '../../../data/postal-codes.ts'
import { ruleBook } from '../../../processors/validator/rules/rule-book.ts'
import { validatorOf } from '../../../processors/validator/stage.ts'
import type { Listing } from '../../../schemas/records/listing.ts'
import type { Rejection } from '../../../schemas/records/rejection.ts'
import { entries, listing, type Overrides } from '../../support/listings.ts'
import { BOOK, RECEIVED_AT_MS, rawProperty } from './verdicts.ts'

const validate = validatorOf(BOOK)

function listingFrom(changes: Overrides): Listing {
  const verdict = validate(rawProperty(JSON.stringify(listing(changes))))
  if (verdict.route === 'rejected') throw new Error(verdict.rejection.reasons.map(({ code }) => code).join())
  return verdict.listing
}

function rejectionFrom(body: string): Rejection {
  const verdict = validate(rawProperty(body))
  if (verdict.route !== 'rejected') throw new Error(`route ${verdict.route}`)
  return verdict.rejection
}

const routeFrom = (changes: Overrides) => validate(rawProperty(JSON.stringify(listing(changes)))).route

describe('the route (design section 4)', () => {
  test.each([
    { name: 'no reason', changes: {}, route: 'accepted' },
    { name: 'WARN alone', changes: { amenities: [] }, route: 'accepted' },
    { name: 'a DRAFT reason', changes: { photos: [] }, route: 'draft' },
    { name: 'DRAFT and WARN', changes: { photos: [], amenities: [] }, route: 'draft' },
    { name: 'a BLOCK reason', changes: { modality: 'renta' }, route: 'rejected' },
    { name: 'BLOCK, DRAFT and WARN', changes: { modality: 'renta', photos: [], amenities: [] }, route: 'rejected' },
  ])('$name -> $route', ({ changes, route }) => {
    expect(routeFrom(changes)).toBe(route)
  })

  test('a rule configured to block rejects', () => {
    const strict = validatorOf(ruleBook({ postalCodes: loadPostalCodes(), severities: { photos_too_few: 'BLOCK' } }))
    expect(strict(rawProperty(JSON.stringify(listing({ photos: [] })))).route).toBe('rejected')
  })

  test('the sample partner’s listings break just the rules that they were made to break', () => {
    for (const { listing: sent, breaks } of entries(1_000)) {
      const verdict = validate(rawProperty(JSON.stringify(sent)))
      const { reasons } = verdict.route === 'rejected' ? verdict.rejection : verdict.listing
      expect(reasons.map(({ code }) => code)).toEqual(breaks)
    }
  })
})

describe('an accepted property becomes a listing', () => {
  test('typed, with everything that the raw record knows and the body untouched', () => {
    const sent = listing({
      updated_at: '2026-11-20T12:30:00-06:00',
      price: { rent_price: 1e21, sale_price: 1e-7 },
      contact: { phone: '+52 1 55 5234 5678' },
    })
    const body = ` ${JSON.stringify(sent, null, 1)}\n`
    const verdict = validate({
      partner: 'acme',
      cycle: 1_790_000_000_000,
      sequence: 41,
      received_at: RECEIVED_AT_MS,
      page: 2,
      body,
    })
    expect(verdict).toEqual({
      route: 'accepted',
      listing: {
        partner: 'acme',
        external_id: 'CRM-1',
        cycle: 1_790_000_000_000,
        sequence: 41,
        received_at: RECEIVED_AT_MS,
        property_type: 'office',
        modality: 'rent_and_sale',
        currency: 'MXN',
        rent_price: '1000000000000000000000',
        sale_price: '0.0000001',
        latitude: 19.427,
        longitude: -99.1677,
        street: 'Av. Paseo de la Reforma 222',
        city: 'Ciudad de México',
        state: 'Ciudad de México',
        postal_code: '06600',
        contact_name: 'Guadalupe Hernández',
        contact_email: 'guadalupe@inmuebles-norte.example',
        contact_phone: '5552345678',
        photos: sent.photos,
        amenities: ['estacionamiento', 'elevador'],
        updated_at: Date.UTC(2026, 10, 20, 18, 30),
        rule_set: BOOK.ruleSet,
        reasons: [],
        body,
      },
    })
  })

  test.each<[unknown, string | null]>([
    [null, null],
    [undefined, null],
    [0, '0'],
    [25_000.5, '25000.5'],
  ])('a sale price of %j beside the rent is %j', (sale_price, text) => {
    const { rent_price, sale_price: stored } = listingFrom({ modality: 'rent', price: { rent_price: 5, sale_price } })
    expect([rent_price, stored]).toEqual(['5', text])
  })

  test('a rent price may be null', () => {
    expect(listingFrom({ modality: 'sale', price: { rent_price: null, sale_price: 5 } }).rent_price).toBeNull()
  })

  test('texts lose control characters and blanks around them, the state keeps its spelling', () => {
    const dirty = listingFrom({
      location: { street: ' Av.\u0000Juárez\n', city: '\tLeón ', state: ' cdmx ' },
      contact: { name: 'Ana\u0007\ud800 ' },
    })
    expect(dirty).toMatchObject({ street: 'Av. Juárez', city: 'León', state: 'cdmx', contact_name: 'Ana \ufffd' })
  })

  test('a photo sent twice is stored once', () => {
    const [first, second, third] = listing().photos ?? []
    expect(listingFrom({ photos: [first, second, first, third] }).photos).toEqual([first, second, third])
  })

  test.each([
    { name: 'absent', updated_at: undefined, stored: null },
    { name: 'no date', updated_at: 'ayer', stored: null },
    { name: 'a day from now', updated_at: '2026-11-22T12:00:00.000Z', stored: RECEIVED_AT_MS + 86_400_000 },
    { name: 'later', updated_at: '2026-11-22T12:00:00.001Z', stored: null },
  ])('updated_at $name is stored as $stored', ({ updated_at, stored }) => {
    expect(listingFrom({ updated_at }).updated_at).toBe(stored)
  })

  test('a draft and a warning carry their reasons', () => {
    expect(listingFrom({ photos: [], amenities: [] }).reasons.map(({ code, severity }) => [code, severity])).toEqual([
      ['photos_too_few', 'DRAFT'],
      ['amenities_missing', 'WARN'],
    ])
  })
})

describe('a refused property becomes a rejection', () => {
  test('with every reason at once, and its body untouched', () => {
    const body = JSON.stringify(listing({ modality: 'renta', photos: [] }))
    const rejection = rejectionFrom(body)
    expect(rejection).toEqual({
      partner: 'acme',
      external_id: 'CRM-1',
      cycle: 7,
      sequence: 3,
      received_at: RECEIVED_AT_MS,
      rule_set: BOOK.ruleSet,
      reasons: [
        expect.objectContaining({ code: 'modality_unknown' }),
        expect.objectContaining({ code: 'photos_too_few' }),
      ],
      body,
    })
  })

  test.each([undefined, null, '', 4711, 'a\nb', 'x'.repeat(256), ['CRM-1']])(
    'external_id %j is stored as null',
    external_id => {
      expect(rejectionFrom(JSON.stringify(listing({ external_id }))).external_id).toBeNull()
    },
  )

  test.each([
    { body: '{"external_id":"CRM-1"', code: 'property_unreadable' },
    { body: '', code: 'property_unreadable' },
    { body: '["CRM-1"]', code: 'property_not_an_object' },
    { body: 'null', code: 'property_not_an_object' },
  ])('$body is refused as $code', ({ body, code }) => {
    const rejection = rejectionFrom(body)
    expect(rejection).toMatchObject({ external_id: null, reasons: [{ code, severity: 'BLOCK', field: '' }], body })
    expect(rejection.reasons).toHaveLength(1)
  })
})

test('a body that is not well-formed is made so in either route', () => {
  const body = JSON.stringify(listing({ title: 'x' })).replace('"x"', '"\ud800"')
  expect(listingBody(body).isWellFormed()).toBe(true)
  expect(rejectionFrom('"\udfff').body).toBe('"\ufffd')
})

function listingBody(body: string): string {
  const verdict = validate(rawProperty(body))
  if (verdict.route === 'rejected') throw new Error('rejected')
  return verdict.listing.body
}
