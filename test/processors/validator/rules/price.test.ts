import { describe, expect, test } from 'vitest'
import { propertyAsSent } from '../../../../processors/validator/property.ts'
import { listing } from '../../../support/listings.ts'
import { BOOK, codesFor, onlyReason } from '../verdicts.ts'

const INVALID_RENT = 'rent_price_invalid'
const INVALID_SALE = 'sale_price_invalid'
const FOR_MODALITY = 'price_not_for_modality'

describe('prices (contract 2.1)', () => {
  test.each<{ name: string; modality: string; rent_price: unknown; sale_price: unknown; codes: readonly string[] }>([
    { name: 'rent alone is enough for rent', modality: 'rent', rent_price: 1, sale_price: null, codes: [] },
    { name: 'rent alone, sale left out', modality: 'rent', rent_price: 0.01, sale_price: undefined, codes: [] },
    { name: 'sale alone is enough for sale', modality: 'sale', rent_price: null, sale_price: 1, codes: [] },
    { name: 'a zero beside the own price is fine', modality: 'sale', rent_price: 0, sale_price: 1, codes: [] },
    { name: 'both for both', modality: 'rent_and_sale', rent_price: 1, sale_price: 2, codes: [] },
    { name: 'more than asked for', modality: 'rent', rent_price: 1, sale_price: 2, codes: [] },
    { name: 'both null', modality: 'rent', rent_price: null, sale_price: null, codes: ['price_missing'] },
    { name: 'both left out', modality: 'sale', rent_price: undefined, sale_price: undefined, codes: ['price_missing'] },
    { name: 'both zero', modality: 'rent_and_sale', rent_price: 0, sale_price: 0, codes: ['price_missing'] },
    { name: 'zero and null', modality: 'rent', rent_price: 0, sale_price: null, codes: ['price_missing'] },
    { name: 'rent without its price', modality: 'rent', rent_price: null, sale_price: 5, codes: [FOR_MODALITY] },
    { name: 'rent at zero', modality: 'rent', rent_price: 0, sale_price: 5, codes: [FOR_MODALITY] },
    { name: 'sale without its price', modality: 'sale', rent_price: 5, sale_price: null, codes: [FOR_MODALITY] },
    { name: 'both, no sale', modality: 'rent_and_sale', rent_price: 5, sale_price: null, codes: [FOR_MODALITY] },
    { name: 'both, no rent', modality: 'rent_and_sale', rent_price: 0, sale_price: 5, codes: [FOR_MODALITY] },
    {
      name: 'an unknown modality has no own price',
      modality: 'x',
      rent_price: null,
      sale_price: 5,
      codes: ['modality_unknown'],
    },
    {
      name: 'nor has it one the other way',
      modality: 'x',
      rent_price: 5,
      sale_price: null,
      codes: ['modality_unknown'],
    },
    { name: 'text beside a good price', modality: 'sale', rent_price: '25,000', sale_price: 5, codes: [INVALID_RENT] },
    {
      name: 'its own price as text is said once',
      modality: 'rent',
      rent_price: '25000',
      sale_price: null,
      codes: [INVALID_RENT],
    },
    { name: 'the same for sale', modality: 'sale', rent_price: null, sale_price: '5', codes: [INVALID_SALE] },
    { name: 'both as text', modality: 'rent', rent_price: '1', sale_price: '2', codes: [INVALID_RENT, INVALID_SALE] },
    { name: 'negative', modality: 'rent', rent_price: -0.01, sale_price: null, codes: [INVALID_RENT] },
    { name: 'true is no amount', modality: 'rent', rent_price: true, sale_price: null, codes: [INVALID_RENT] },
    { name: 'empty text is no amount', modality: 'rent', rent_price: 5, sale_price: '', codes: [INVALID_SALE] },
    { name: 'a list is no amount', modality: 'rent', rent_price: 5, sale_price: [5], codes: [INVALID_SALE] },
    { name: 'an object is no amount', modality: 'rent', rent_price: 5, sale_price: { mxn: 5 }, codes: [INVALID_SALE] },
    {
      name: 'one as text and the other missing are two faults',
      modality: 'rent_and_sale',
      rent_price: '25,000',
      sale_price: null,
      codes: [INVALID_RENT, FOR_MODALITY],
    },
  ])('$name', ({ modality, rent_price, sale_price, codes }) => {
    expect(codesFor({ modality, price: { rent_price, sale_price } })).toEqual(codes)
  })

  test('1e999 reads as Infinity and is no amount', () => {
    const body = JSON.stringify(listing()).replace('"rent_price":42000', '"rent_price":1e999')
    const [reason, ...others] = BOOK.reasonsOf(propertyAsSent(body, Date.UTC(2026, 0, 1)))
    expect(others).toEqual([])
    expect(reason?.code).toBe(INVALID_RENT)
    expect(reason?.message_es).toMatch(/demasiado grande/)
    expect(reason?.message_en).toMatch(/too large/)
  })

  test.each([
    ['25,000', '25000'],
    ['1,250,000.50', '1250000.50'],
    ['$ 25 000 MXN', '25000'],
    ['25000', '25000'],
    ['25000.5', '25000.5'],
  ])('%s as text: the message shows %s as a number', (amount, number) => {
    const { message_es, message_en } = onlyReason({ price: { rent_price: amount } })
    expect(message_es).toMatch(/precio de renta \(price\.rent_price\) llegó como texto/)
    expect(message_es.endsWith(`ni símbolos: ${number}.`)).toBe(true)
    expect(message_en.endsWith(`or symbols: ${number}.`)).toBe(true)
  })

  test.each(['a tratar', '', '25.000', '2,50', '1-2'])('%j as text: the message guesses no number', amount => {
    const { message_es, message_en } = onlyReason({ price: { sale_price: amount } })
    expect(message_es).toMatch(/precio de venta .* Envíelo como número, o null si no aplica\.$/)
    expect(message_en).toMatch(/sale price .* Send it as a number, or null if there is none\.$/)
  })

  test('negative: the message says so', () => {
    expect(onlyReason({ price: { rent_price: -5 } }).message_es).toMatch(/es negativo \(-5\)/)
    expect(onlyReason({ price: { rent_price: -5 } }).message_en).toMatch(/is negative \(-5\)/)
  })

  test('of another type: the message names it', () => {
    expect(onlyReason({ price: { rent_price: [1] } }).message_es).toMatch(/llegó como lista/)
  })

  test.each([
    { name: 'zero', price: { rent_price: null, sale_price: 0 }, es: /^El precio es 0\./, en: /^The price is 0\./ },
    {
      name: 'zero for rent',
      price: { rent_price: 0, sale_price: null },
      es: /^El precio es 0\./,
      en: /^The price is 0\./,
    },
    {
      name: 'null',
      price: { rent_price: null, sale_price: null },
      es: /^Falta el precio\./,
      en: /^The price is missing\./,
    },
  ])('price_missing tells $name', ({ price, es, en }) => {
    const { message_es, message_en, field } = onlyReason({ price })
    expect(message_es).toMatch(es)
    expect(message_en).toMatch(en)
    expect(field).toBe('/price')
  })

  test.each([
    { modality: 'rent', rent_price: null, sale_price: 5, field: 'price.rent_price', es: 'renta', en: 'rent' },
    { modality: 'sale', rent_price: 5, sale_price: 0, field: 'price.sale_price', es: 'venta', en: 'sale' },
    { modality: 'rent_and_sale', rent_price: 5, sale_price: null, field: 'price.sale_price', es: 'venta', en: 'sale' },
  ])('price_not_for_modality names $field for $modality', ({ modality, rent_price, sale_price, field, es, en }) => {
    const { message_es, message_en, severity } = onlyReason({ modality, price: { rent_price, sale_price } })
    expect(message_es).toContain(`modality es ${modality} y falta el precio de ${es}. Envíe ${field} `)
    expect(message_en).toContain(`modality is ${modality} and the ${en} price is missing. Send ${field} `)
    expect(severity).toBe('DRAFT')
  })
})

describe('price as a whole', () => {
  test.each([undefined, null, 25_000, '25,000 MXN', [], ['MXN', 5], true])(
    '%j: price and currency are missing',
    price => {
      expect(codesFor({ price })).toEqual(['price_missing', 'currency_unknown'])
    },
  )
})

describe('currency_unknown (contract 2.1)', () => {
  test.each(['MXN', 'USD'])('%s is accepted', currency => {
    expect(codesFor({ price: { currency } })).toEqual([])
  })

  test.each([undefined, null, '', 'mxn', 'EUR', 'MXN ', 484, ['MXN']])('%j is not', currency => {
    expect(codesFor({ price: { currency } })).toEqual(['currency_unknown'])
  })

  test.each([
    ['mxn', 'MXN'],
    ['MX$', 'MXN'],
    ['$', 'MXN'],
    ['M.N.', 'MXN'],
    ['Pesos mexicanos', 'MXN'],
    ['usd', 'USD'],
    ['US$', 'USD'],
    ['Dólares', 'USD'],
    ['DLLS', 'USD'],
  ])('%s: the message names %s', (currency, meant) => {
    expect(onlyReason({ price: { currency } }).message_es).toContain(`exactamente "${meant}"`)
    expect(onlyReason({ price: { currency } }).message_en).toContain(`exactly "${meant}"`)
  })

  test.each(['EUR', 'pesos argentinos', 'dólares canadienses', 'mil pesos', 'mil usd', 'x'])(
    '%s: the message asks to convert',
    currency => {
      expect(onlyReason({ price: { currency } }).message_es).toMatch(/convierta los importes/)
      expect(onlyReason({ price: { currency } }).message_en).toMatch(/convert the amounts/)
    },
  )

  test('missing: the message names both', () => {
    expect(onlyReason({ price: { currency: undefined } }).message_es).toBe(
      'Falta price.currency. Envíe "MXN" (pesos) o "USD" (dólares).',
    )
  })
})
