import { describe, expect, test } from 'vitest'
import { type PropertyAsSent, propertyAsSent } from '../../../processors/validator/property.ts'
import { listing } from '../../support/listings.ts'

const read = (value: unknown) => propertyAsSent(JSON.stringify(value), 1_000)
/** Everything that a body without any field reads as. */
const NOTHING: Omit<PropertyAsSent, 'sent' | 'whole' | 'receivedAtMs'> = {
  external_id: undefined,
  property_type: undefined,
  modality: undefined,
  price: undefined,
  currency: undefined,
  rent_price: undefined,
  sale_price: undefined,
  location: undefined,
  latitude: undefined,
  longitude: undefined,
  street: undefined,
  city: undefined,
  state: undefined,
  postal_code: undefined,
  contact: undefined,
  contact_name: undefined,
  contact_email: undefined,
  contact_phone: undefined,
  phone: undefined,
  photos: undefined,
  photoUrls: [],
  amenities: undefined,
  amenityNames: [],
  updated_at: undefined,
  updatedAtMs: undefined,
}

test('a listing is read field by field (contract 2.1)', () => {
  const sent = listing({ updated_at: '2026-11-20T18:30:00.250Z' })
  const { price, location, contact } = sent
  expect(read(sent)).toEqual({
    whole: 'object',
    sent,
    receivedAtMs: 1_000,
    external_id: sent.external_id,
    property_type: sent.property_type,
    modality: sent.modality,
    price,
    ...price,
    location,
    ...location,
    contact,
    contact_name: contact?.name,
    contact_email: contact?.email,
    contact_phone: contact?.phone,
    phone: { digits: '5552345678', isValid: true },
    photos: sent.photos,
    photoUrls: sent.photos,
    amenities: sent.amenities,
    amenityNames: sent.amenities,
    updated_at: sent.updated_at,
    updatedAtMs: Date.UTC(2026, 10, 20, 18, 30, 0, 250),
  })
})

describe('what holds no field reads as nothing', () => {
  test.each([
    { body: '{}', whole: 'object', sent: {} },
    { body: '[]', whole: 'other', sent: [] },
    { body: 'null', whole: 'other', sent: null },
    { body: '"price"', whole: 'other', sent: 'price' },
    { body: '7', whole: 'other', sent: 7 },
    { body: '[{"external_id":"CRM-1"}]', whole: 'other', sent: [{ external_id: 'CRM-1' }] },
    { body: '{"external_id"', whole: 'unreadable', sent: undefined },
    { body: '', whole: 'unreadable', sent: undefined },
  ])('$body', ({ body, whole, sent }) => {
    expect(propertyAsSent(body, 1_000)).toEqual({ ...NOTHING, whole, sent, receivedAtMs: 1_000 })
  })

  test.each(['price', 'location', 'contact'])('%s that is no object', name => {
    for (const parent of [null, 7, 'text', [{ currency: 'MXN', latitude: 1, name: 'x' }], true]) {
      expect(read({ [name]: parent })).toMatchObject({ ...NOTHING, [name]: parent })
    }
  })
})

describe('own properties alone', () => {
  test('a key __proto__ gives no field, neither here nor elsewhere', () => {
    const body =
      '{"__proto__":{"external_id":"x","price":{"currency":"MXN"}},"price":{"__proto__":{"rent_price":5}},"contact":{"constructor":{"prototype":{"name":"x"}}}}'
    const property = propertyAsSent(body, 0)
    expect(property).toMatchObject({ external_id: undefined, currency: undefined, rent_price: undefined })
    expect(property.contact_name).toBeUndefined()
    expect(Object.hasOwn({}, 'external_id') || 'external_id' in {} || 'rent_price' in {}).toBe(false)
  })

  test('no field of the contract is a name that objects inherit', () => {
    const { price, location, contact, ...others } = listing()
    const names = [others, price, location, contact].flatMap(part => Object.keys(part ?? {}))
    expect([...names, 'price', 'location', 'contact'].filter(name => name in Object.prototype)).toEqual([])
  })
})

describe('photos', () => {
  const photoUrls = (photos: unknown) => read({ photos }).photoUrls

  test('each address once, in the order sent, as sent', () => {
    const photos = ['https://b.example/2?x=1', 'http://a.example/1', 'https://b.example/2?x=1', 'HTTP://a.example/1']
    expect(photoUrls(photos)).toEqual(['https://b.example/2?x=1', 'http://a.example/1', 'HTTP://a.example/1'])
  })

  test('what is no http or https address is left out', () => {
    const wrong = [
      null,
      7,
      {},
      ['http://a.example'],
      '',
      'a.jpg',
      'ftp://a.example',
      'http://',
      'http://#',
      'http://a b',
      'httpss://a',
      ' http://a',
    ]
    expect(photoUrls([...wrong, 'http://a'])).toEqual(['http://a'])
  })

  test('a hundred thousand photos are read at once', () => {
    const photos = Array.from({ length: 100_000 }, (_, index) => `https://cdn.example/${index % 50_000}`)
    expect(photoUrls(photos)).toHaveLength(50_000)
  })
})

test('amenities: texts, and names of objects, tidied; anything else is left out', () => {
  const amenities = [
    ' elevador ',
    { name: 'andén\u0000' },
    '',
    ' ',
    7,
    null,
    { name: 7 },
    { label: 'x' },
    ['x'],
    'elevador',
    '\ud800x',
  ]
  expect(read({ amenities }).amenityNames).toEqual(['elevador', 'andén', 'elevador', '\ufffdx'])
})

test('updated_at: the instant, or nothing for what is none', () => {
  expect(read({ updated_at: '2026-11-20T12:30:00-06:00' }).updatedAtMs).toBe(Date.UTC(2026, 10, 20, 18, 30))
  expect(read({ updated_at: '2026-11-20T12:30:00' })).toMatchObject({
    updated_at: '2026-11-20T12:30:00',
    updatedAtMs: undefined,
  })
})

test('a body nested a hundred thousand deep does no harm', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(['other', 'unreadable']).toContain(propertyAsSent(deep, 0).whole)
  expect(propertyAsSent(`{"price":${deep},"photos":${deep}}`, 0).photoUrls).toEqual([])
})
