import { describe, expect, test } from 'vitest'
import { propertyAsSent } from '../../../../processors/validator/property.ts'
import {
  EXAMPLE_PROPERTY,
  EXAMPLE_RECEIVED_AT_MS,
  exampleBody,
} from '../../../../processors/validator/rules/example.ts'
import { ruleBook } from '../../../../processors/validator/rules/rule-book.ts'
import { PredioError } from '../../../../schemas/errors.ts'
import type { Severity } from '../../../../schemas/verdict.ts'
import { BOOK, codesFor, reasonsFor } from '../verdicts.ts'

/** Design section 10, in its order as far as it has one, and the two rules for bodies that hold no property. */
const SECTION_10: Readonly<Record<string, Severity>> = {
  property_unreadable: 'BLOCK',
  property_not_an_object: 'BLOCK',
  external_id_missing: 'BLOCK',
  external_id_unusable: 'BLOCK',
  property_type_unknown: 'BLOCK',
  modality_unknown: 'BLOCK',
  rent_price_invalid: 'BLOCK',
  sale_price_invalid: 'BLOCK',
  price_missing: 'BLOCK',
  currency_unknown: 'BLOCK',
  price_not_for_modality: 'DRAFT',
  latitude_invalid: 'BLOCK',
  longitude_invalid: 'BLOCK',
  location_outside_mexico: 'DRAFT',
  street_missing: 'BLOCK',
  city_missing: 'BLOCK',
  state_missing: 'BLOCK',
  state_unknown: 'DRAFT',
  postal_code_malformed: 'BLOCK',
  postal_code_unknown: 'DRAFT',
  postal_code_not_in_state: 'DRAFT',
  contact_name_missing: 'BLOCK',
  contact_email_invalid: 'BLOCK',
  contact_phone_invalid: 'BLOCK',
  contact_phone_unlikely: 'DRAFT',
  photos_too_few: 'DRAFT',
  updated_at_invalid: 'DRAFT',
  amenities_missing: 'WARN',
}

const postalCodes = { known: () => true, stateOf: () => 'Jalisco', edition: 'a' }
const exampleReasons = (field: string, value: unknown) =>
  BOOK.reasonsOf(propertyAsSent(exampleBody(field, value), EXAMPLE_RECEIVED_AT_MS))

test('the book holds the rules of design section 10, their severities and nothing else', () => {
  expect(BOOK.rules.map(({ code, severity }) => [code, severity])).toEqual(Object.entries(SECTION_10))
})

test('WARN is for missing amenities alone (contract 1.4)', () => {
  expect(BOOK.rules.filter(({ severity }) => severity === 'WARN').map(({ code }) => code)).toEqual([
    'amenities_missing',
  ])
})

describe.each(BOOK.rules)('$code', ({ code, severity, field, source, bad, good }) => {
  test('its bad example breaks it and no other rule', () => {
    expect(exampleReasons(field, bad)).toEqual([
      { code, severity, field, message_es: expect.any(String), message_en: expect.any(String) },
    ])
  })

  test('its good example breaks no rule', () => {
    expect(exampleReasons(field, good)).toEqual([])
  })

  test('its messages are whole sentences, in Spanish and in English', () => {
    const [reason] = exampleReasons(field, bad)
    expect(reason?.message_es).toMatch(/^\S.*[.]$/u)
    expect(reason?.message_en).toMatch(/^\S.*[.]$/u)
    expect(reason?.message_es).not.toBe(reason?.message_en)
    expect(`${reason?.message_es}${reason?.message_en}`).not.toMatch(/undefined|\[object|NaN|\/work|function|=>/)
  })

  test('it names where it comes from', () => {
    expect(source).toMatch(/^(contract \d|assumption A\d)/)
  })
})

test('exampleBody puts a value at its place and leaves the rest', () => {
  const { price, ...rest } = EXAMPLE_PROPERTY
  expect(JSON.parse(exampleBody('/price/currency', 'EUR'))).toEqual({ ...rest, price: { ...price, currency: 'EUR' } })
  expect(JSON.parse(exampleBody('/price', { sale_price: 5 }))).toEqual({ ...rest, price: { ...price, sale_price: 5 } })
  expect(JSON.parse(exampleBody('/price', null))).toEqual({ ...rest, price: null })
  expect(JSON.parse(exampleBody('/photos', []))).toEqual({ ...rest, price, photos: [] })
  expect(exampleBody('', 'null')).toBe('null')
})

describe('all reasons at once, each fault once', () => {
  test('a property without a single field names every required one, in reading order', () => {
    expect(reasonsFor({}).map(({ code }) => code)).toEqual([
      'external_id_missing',
      'property_type_unknown',
      'modality_unknown',
      'price_missing',
      'currency_unknown',
      'latitude_invalid',
      'longitude_invalid',
      'street_missing',
      'city_missing',
      'state_missing',
      'postal_code_malformed',
      'contact_name_missing',
      'contact_email_invalid',
      'contact_phone_invalid',
      'photos_too_few',
      'amenities_missing',
    ])
  })

  test('a good listing has none', () => {
    expect(codesFor({})).toEqual([])
  })

  test.each([null, 0, 42, 'CRM-1', true, [], [{ external_id: 'CRM-1' }]])('%j is no object and nothing else', value => {
    expect(reasonsFor(value)).toEqual([
      {
        code: 'property_not_an_object',
        severity: 'BLOCK',
        field: '',
        message_es: expect.any(String),
        message_en: expect.any(String),
      },
    ])
  })

  test.each(['', '{', '{"external_id":"CRM-1"', 'undefined', "{'a':1}", '\u0000'])(
    '%j is no JSON and nothing else',
    body => {
      expect(BOOK.reasonsOf(propertyAsSent(body, 0)).map(({ code }) => code)).toEqual(['property_unreadable'])
    },
  )
})

describe('severities by configuration (assumption A2)', () => {
  const severitiesOf = (severities: Record<string, Severity>) =>
    Object.fromEntries(ruleBook({ postalCodes, severities }).rules.map(({ code, severity }) => [code, severity]))

  test('a DRAFT rule may block, the amenities rule may hold back, all others stay', () => {
    expect(severitiesOf({ postal_code_unknown: 'BLOCK', amenities_missing: 'DRAFT' })).toEqual({
      ...SECTION_10,
      postal_code_unknown: 'BLOCK',
      amenities_missing: 'DRAFT',
    })
  })

  test('the configured severity reaches the reason', () => {
    const strict = ruleBook({ postalCodes, severities: { photos_too_few: 'BLOCK' } })
    const reasons = strict.reasonsOf(propertyAsSent('{}', 0))
    expect(reasons.find(({ code }) => code === 'photos_too_few')?.severity).toBe('BLOCK')
  })

  test('a rule may be given the severity it has', () => {
    expect(severitiesOf({ price_missing: 'BLOCK', photos_too_few: 'DRAFT', amenities_missing: 'WARN' })).toEqual(
      SECTION_10,
    )
  })

  test.each<{ name: string; severities: Record<string, string>; says: RegExp }>([
    { name: 'WARN for a DRAFT rule', severities: { photos_too_few: 'WARN' }, says: /photos_too_few must not be WARN/ },
    { name: 'WARN for a BLOCK rule', severities: { price_missing: 'WARN' }, says: /price_missing must stay BLOCK/ },
    {
      name: 'DRAFT for a BLOCK rule',
      severities: { latitude_invalid: 'DRAFT' },
      says: /latitude_invalid must stay BLOCK/,
    },
    {
      name: 'DRAFT for a body rule',
      severities: { property_unreadable: 'DRAFT' },
      says: /property_unreadable must stay/,
    },
    { name: 'a rule that does not exist', severities: { price_mising: 'BLOCK' }, says: /price_mising is no rule/ },
    { name: 'an inherited name', severities: { toString: 'BLOCK' }, says: /toString is no rule/ },
    {
      name: 'a severity that does not exist',
      severities: { photos_too_few: 'block' },
      says: /photos_too_few must be .* not block/,
    },
    {
      name: 'every mistake at once',
      severities: { photos_too_few: 'WARN', price_mising: 'BLOCK' },
      says: /photos_too_few.*; price_mising/,
    },
  ])('$name is refused', ({ severities, says }) => {
    const build = () => ruleBook({ postalCodes, severities: severities as Record<string, Severity> })
    expect(build).toThrow(says)
    expect(build).toThrow(PredioError)
    expect(build).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})

describe('the rule-set version', () => {
  const { ruleSet } = ruleBook({ postalCodes })

  test('is short text and the same for the same rules', () => {
    expect(ruleSet).toMatch(/^\d+-[0-9a-f]{8}$/)
    expect(ruleBook({ postalCodes }).ruleSet).toBe(ruleSet)
    expect(ruleBook({ postalCodes, severities: { photos_too_few: 'DRAFT' } }).ruleSet).toBe(ruleSet)
  })

  test('changes with a severity and with the list of postal codes', () => {
    expect(ruleBook({ postalCodes, severities: { photos_too_few: 'BLOCK' } }).ruleSet).not.toBe(ruleSet)
    expect(ruleBook({ postalCodes: { ...postalCodes, edition: 'b' } }).ruleSet).not.toBe(ruleSet)
  })
})
