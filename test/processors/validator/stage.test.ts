import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadPostalCodes } from '../../../data/postal-codes.ts'
import { ruleBook } from '../../../processors/validator/rules/rule-book.ts'
import { validatorOf } from '../../../processors/validator/stage.ts'
import { avroType } from '../../../schemas/avro.ts'
import type { Listing } from '../../../schemas/records/listing.ts'
import type { RawProperty } from '../../../schemas/records/raw-property.ts'
import type { Rejection } from '../../../schemas/records/rejection.ts'
import { entries, listing, type Overrides } from '../../support/listings.ts'
import { BOOK, RECEIVED_AT_MS, rawProperty } from './verdicts.ts'

const validate = validatorOf(BOOK)
const LISTING = avroType('listing')
const REJECTION = avroType('rejection')

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

/** Values that partners send where something else belongs, besides any JSON at all. */
const oddValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    null,
    '',
    ' ',
    '0',
    0,
    -0,
    -1,
    1e21,
    1e-7,
    5e-324,
    true,
    [],
    {},
    '\u0000',
    'x'.repeat(300),
    '__proto__',
  ),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const FIELDS = [
  'external_id',
  'property_type',
  'modality',
  'updated_at',
  'photos',
  'amenities',
  'price',
  'price/currency',
  'price/rent_price',
  'price/sale_price',
  'location',
  'location/latitude',
  'location/longitude',
  'location/street',
  'location/city',
  'location/state',
  'location/postal_code',
  'contact',
  'contact/name',
  'contact/email',
  'contact/phone',
]

/** A good listing with some fields replaced or left out. */
const mutated = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS), fc.option(oddValue, { nil: undefined })), { minLength: 1, maxLength: 4 })
  .map(changes => {
    const sent = listing() as unknown as Record<string, unknown>
    for (const [path, value] of changes) {
      const [first = '', second] = path.split('/')
      const parent = sent[first]
      if (second === undefined) sent[first] = value
      else if (typeof parent === 'object' && parent !== null) (parent as Record<string, unknown>)[second] = value
    }
    return JSON.stringify(sent)
  })

/** Never a throw, one route, encodes and reads back the same, and the same again the second time. */
function expectSound(raw: RawProperty): void {
  const verdict = validate(raw)
  expect(validate(raw)).toEqual(verdict)
  const { reasons } = verdict.route === 'rejected' ? verdict.rejection : verdict.listing
  expect(reasons.some(({ severity }) => severity === 'BLOCK')).toBe(verdict.route === 'rejected')
  expect(reasons.some(({ severity }) => severity === 'DRAFT') || verdict.route !== 'draft').toBe(true)
  expect(new Set(reasons.map(({ code }) => code)).size).toBe(reasons.length)
  const [type, record] = verdict.route === 'rejected' ? [REJECTION, verdict.rejection] : [LISTING, verdict.listing]
  // Well-formed text alone survives UTF-8, so this fails for a lone surrogate anywhere.
  expect({ ...type.fromBuffer(type.toBuffer(record)) }).toEqual(record)
}

describe('whatever a partner sends (fast-check)', () => {
  test('any JSON value', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 4 }), body => expectSound(rawProperty(body))))
  })

  test('any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), body => expectSound(rawProperty(body.toWellFormed()))))
  })

  test('a good listing with odd values in some places', () => {
    fc.assert(
      fc.property(mutated, body => expectSound(rawProperty(body))),
      { numRuns: 1_000 },
    )
  })

  test('a good listing with odd texts where texts belong is stored with well-formed text', () => {
    const odd = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map(unit => String.fromCharCode(unit)),
      minLength: 1,
    })
    fc.assert(
      fc.property(odd, text => {
        const changes = {
          location: { street: `a${text}`, city: `b${text}` },
          contact: { name: `c${text}` },
          amenities: [`d${text}`],
        }
        expectSound(rawProperty(JSON.stringify(listing(changes))))
        expect(routeFrom(changes)).toBe('accepted')
      }),
    )
  })

  test('no contact data in any message', () => {
    const contact = fc.record({
      name: fc.constantFrom('', 'Zutano Zutánez', 7_654_321),
      email: fc.constantFrom('zutano', 'zutano@zutano', 'zutano@zutano.example', 'zu tano@zutano.mx'),
      phone: fc.constantFrom('7654321', '52 1 00 7654 321', '7654321 zutano', 'zutano', 7_654_321, '+99 7654321'),
    })
    fc.assert(
      fc.property(contact, oddValue, (sent, photos) => {
        const body = JSON.stringify(listing({ contact: sent, photos: JSON.parse(JSON.stringify(photos)) }))
        const verdict = validate(rawProperty(body))
        const { reasons } = verdict.route === 'rejected' ? verdict.rejection : verdict.listing
        expect(reasons.map(({ message_es, message_en }) => message_es + message_en).join()).not.toMatch(
          /zut|tano|7654|4321/i,
        )
      }),
    )
  })
})
