import { describe, expect, test } from 'vitest'
import { listing } from '../../../support/listings.ts'
import { codesFor, onlyReason, reasonsFor } from '../verdicts.ts'

const OUTSIDE = ['location_outside_mexico']

describe('coordinates (contract 2.1)', () => {
  test.each<{ name: string; latitude: unknown; longitude: unknown; codes: readonly string[] }>([
    { name: 'Mexico City', latitude: 19.4326, longitude: -99.1332, codes: [] },
    { name: 'the south-western limit', latitude: 14.3, longitude: -118.7, codes: [] },
    { name: 'the north-eastern limit', latitude: 32.8, longitude: -86.5, codes: [] },
    { name: 'just south', latitude: 14.29, longitude: -99, codes: OUTSIDE },
    { name: 'just north', latitude: 32.81, longitude: -99, codes: OUTSIDE },
    { name: 'just west', latitude: 19, longitude: -118.71, codes: OUTSIDE },
    { name: 'just east', latitude: 19, longitude: -86.49, codes: OUTSIDE },
    { name: '0, 0', latitude: 0, longitude: 0, codes: OUTSIDE },
    { name: 'swapped, where the latitude still is one', latitude: -86.85, longitude: 21.16, codes: OUTSIDE },
    { name: 'without the minus sign', latitude: 19.43, longitude: 99.13, codes: OUTSIDE },
    { name: 'the poles and the date line are on earth', latitude: 90, longitude: 180, codes: OUTSIDE },
    { name: 'so are the others', latitude: -90, longitude: -180, codes: OUTSIDE },
    { name: 'beyond the north pole', latitude: 90.01, longitude: -99, codes: ['latitude_invalid'] },
    { name: 'beyond the south pole', latitude: -90.01, longitude: -99, codes: ['latitude_invalid'] },
    { name: 'beyond the date line', latitude: 19, longitude: 180.01, codes: ['longitude_invalid'] },
    { name: 'beyond it westward', latitude: 19, longitude: -180.01, codes: ['longitude_invalid'] },
    { name: 'swapped, Mexico City', latitude: -99.13, longitude: 19.43, codes: ['latitude_invalid'] },
    { name: 'text', latitude: '19.43', longitude: '-99.13', codes: ['latitude_invalid', 'longitude_invalid'] },
    { name: 'null', latitude: null, longitude: null, codes: ['latitude_invalid', 'longitude_invalid'] },
    { name: 'left out', latitude: undefined, longitude: -99, codes: ['latitude_invalid'] },
    { name: 'a list', latitude: 19, longitude: [-99], codes: ['longitude_invalid'] },
  ])('$name', ({ latitude, longitude, codes }) => {
    expect(codesFor({ location: { latitude, longitude } })).toEqual(codes)
  })

  test.each([
    { name: '0, 0', latitude: 0, longitude: 0, es: /Llegaron como 0, 0/, en: /They came as 0, 0/ },
    { name: 'swapped', latitude: -86.85, longitude: 21.16, es: /parecen invertidas/, en: /seem to be swapped/ },
    { name: 'swapped beyond the pole', latitude: -99.13, longitude: 19.43, es: /parecen invertidas/, en: /swapped/ },
    {
      name: 'no minus sign',
      latitude: 19.43,
      longitude: 99.13,
      es: /falta el signo menos/,
      en: /lacks its minus sign/,
    },
    {
      name: 'elsewhere',
      latitude: 40.4,
      longitude: -3.7,
      es: /Revise latitude \(14\.3 a 32\.8\)/,
      en: /Check latitude/,
    },
    { name: 'on the equator', latitude: 0, longitude: -99, es: /Revise latitude/, en: /Check latitude/ },
    {
      name: 'off the earth',
      latitude: 194.3,
      longitude: -99,
      es: /de −90 a 90 grados\. Corrija la latitud/,
      en: /Correct the latitude/,
    },
    {
      name: 'off it eastward',
      latitude: 19,
      longitude: 991,
      es: /de −180 a 180 grados\. Corrija la longitud/,
      en: /Correct the longitude/,
    },
  ])('the message tells $name', ({ latitude, longitude, es, en }) => {
    const { message_es, message_en } = onlyReason({ location: { latitude, longitude } })
    expect(message_es).toMatch(es)
    expect(message_en).toMatch(en)
  })

  test.each([
    {
      name: 'text',
      latitude: '19.4',
      es: 'location.latitude llegó como texto.',
      en: 'location.latitude came as text.',
    },
    { name: 'missing', latitude: undefined, es: 'Falta location.latitude.', en: 'location.latitude is missing.' },
    { name: 'null', latitude: null, es: 'location.latitude llegó como null.', en: 'location.latitude came as null.' },
    { name: 'blank', latitude: ' ', es: 'location.latitude está vacío.', en: 'location.latitude is empty.' },
  ])('the message tells $name', ({ latitude, es, en }) => {
    const { message_es, message_en } = onlyReason({ location: { latitude } })
    expect(message_es).toBe(`${es} Envíe la latitud como número decimal en grados, sin comillas.`)
    expect(message_en).toBe(`${en} Send the latitude as a decimal number of degrees, without quotes.`)
  })

  test('no hint is drawn from text beside a number', () => {
    const [latitude] = reasonsFor(listing({ location: { latitude: -99.13, longitude: '19.43' } }))
    expect(latitude?.message_es).toMatch(/Corrija la latitud\.$/)
  })
})

describe('location as a whole', () => {
  const ALL = [
    ['latitude_invalid', '/location/latitude'],
    ['longitude_invalid', '/location/longitude'],
    ['street_missing', '/location/street'],
    ['city_missing', '/location/city'],
    ['state_missing', '/location/state'],
    ['postal_code_malformed', '/location/postal_code'],
  ]

  test.each([undefined, null, 'CDMX', [19.4, -99.1], 7])('%j: every required field of it is missing', location => {
    expect(reasonsFor(listing({ location })).map(({ code, field }) => [code, field])).toEqual(ALL)
  })

  test('text instead of an object: each message says so', () => {
    for (const { message_es, message_en } of reasonsFor(listing({ location: 'Reforma 100' }))) {
      expect(message_es).toMatch(/^Falta location\.\w+\. location llegó como texto y debe ser un objeto\./)
      expect(message_en).toMatch(/^location\.\w+ is missing\. location came as text and must be an object\./)
    }
  })
})
