import { describe, expect, test } from 'vitest'
import { propertyAsSent } from '../../../../processors/validator/property.ts'
import { ruleBook } from '../../../../processors/validator/rules/rule-book.ts'
import { listing } from '../../../support/listings.ts'
import { BOOK, codesFor, onlyReason } from '../verdicts.ts'

describe.each([
  { name: 'street', es: 'la calle', en: 'the street' },
  { name: 'city', es: 'la ciudad', en: 'the city' },
  { name: 'state', es: 'el estado', en: 'the state' },
])('$name (contract 2.1)', ({ name, es, en }) => {
  test.each([undefined, null, '', '  ', '\t\n', '\u200b', '\u00a0', '\u0000', 12, true, [], ['x'], {}])(
    '%j is missing',
    value => {
      expect(codesFor({ location: { [name]: value } })).toEqual([`${name}_missing`])
    },
  )

  test('the messages ask for it', () => {
    const { message_es, message_en, field } = onlyReason({ location: { [name]: 12 } })
    expect(message_es).toBe(`location.${name} llegó como número. Envíe ${es} como texto.`)
    expect(message_en).toBe(`location.${name} came as a number. Send ${en} as text.`)
    expect(field).toBe(`/location/${name}`)
  })
})

test.each(['1', '#', ' x ', 'ñ', '中'])('%j is a street, however short', street => {
  expect(codesFor({ location: { street } })).toEqual([])
})

describe('state_unknown (design section 10)', () => {
  test.each(['Ciudad de México', 'CDMX', 'distrito federal', 'CIUDAD DE MEXICO', ' D.F. '])(
    '%j is Mexico City',
    state => {
      expect(codesFor({ location: { state } })).toEqual([])
    },
  )

  test.each(['Monterrey', 'Texas', 'Estados Unidos Mexicanos', '09', 'CDMX2 de nadie'])('%j is no state', state => {
    expect(codesFor({ location: { state } })).toEqual(['state_unknown'])
  })

  test('the message repeats it, short and without control characters', () => {
    const { message_es, message_en, severity } = onlyReason({ location: { state: `Nunca\u0007 ${'j'.repeat(200)}` } })
    expect(message_es).toContain(`"Nunca ${'j'.repeat(34)}…"`)
    expect(message_en).toContain(`"Nunca ${'j'.repeat(34)}…"`)
    expect(severity).toBe('DRAFT')
  })
})

describe('postal codes (contract 2.1, design section 10)', () => {
  test.each<{ name: string; postal_code: unknown; state?: string; codes: readonly string[] }>([
    { name: 'a code of its state', postal_code: '06600', codes: [] },
    { name: 'another spelling of the state', postal_code: '44100', state: 'jalisco', codes: [] },
    { name: 'absent', postal_code: undefined, codes: ['postal_code_malformed'] },
    { name: 'null', postal_code: null, codes: ['postal_code_malformed'] },
    { name: 'blank', postal_code: ' ', codes: ['postal_code_malformed'] },
    { name: 'a number', postal_code: 44100, codes: ['postal_code_malformed'] },
    { name: 'four digits', postal_code: '6600', codes: ['postal_code_malformed'] },
    { name: 'six digits', postal_code: '066000', codes: ['postal_code_malformed'] },
    { name: 'letters', postal_code: 'C0660', codes: ['postal_code_malformed'] },
    { name: 'blanks around it', postal_code: ' 06600', codes: ['postal_code_malformed'] },
    { name: 'a line break behind it', postal_code: '06600\n', codes: ['postal_code_malformed'] },
    { name: 'digits of another script', postal_code: '٠٦٦٠٠', codes: ['postal_code_malformed'] },
    { name: 'a list', postal_code: ['06600'], codes: ['postal_code_malformed'] },
    { name: 'prefix 00', postal_code: '00600', codes: ['postal_code_malformed'] },
    { name: 'prefix 17', postal_code: '17000', codes: ['postal_code_malformed'] },
    { name: 'prefix 19', postal_code: '19999', codes: ['postal_code_malformed'] },
    { name: 'a code that is not on the list', postal_code: '06601', codes: ['postal_code_unknown'] },
    { name: 'a code of another state', postal_code: '44100', codes: ['postal_code_not_in_state'] },
    {
      name: 'neither on the list nor of the state',
      postal_code: '44101',
      codes: ['postal_code_unknown', 'postal_code_not_in_state'],
    },
    { name: 'no state to compare with', postal_code: '44100', state: ' ', codes: ['state_missing'] },
    { name: 'an unknown state to compare with', postal_code: '44100', state: 'Tejas', codes: ['state_unknown'] },
    {
      name: 'the country as state is the State of Mexico',
      postal_code: '06600',
      state: 'México',
      codes: ['postal_code_not_in_state'],
    },
  ])('$name', ({ postal_code, state = 'Ciudad de México', codes }) => {
    expect(codesFor({ location: { postal_code, state } })).toEqual(codes)
  })

  test.each([
    { postal_code: '6600', restored: '06600', es: 'es "6600"', en: 'is "6600"' },
    { postal_code: 1000, restored: '01000', es: 'llegó como número (1000)', en: 'came as a number (1000)' },
    { postal_code: '9999', restored: '09999', es: 'es "9999"', en: 'is "9999"' },
  ])('$postal_code: the message restores the leading zero', ({ postal_code, restored, es, en }) => {
    const { message_es, message_en } = onlyReason({ location: { postal_code } })
    expect(message_es).toBe(`location.postal_code ${es}: se perdió el cero inicial. Envíelo como texto: "${restored}".`)
    expect(message_en).toBe(`location.postal_code ${en}: its leading zero was lost. Send it as text: "${restored}".`)
  })

  test.each([
    {
      postal_code: 44_100,
      es: /llegó como número \(44100\)\. Debe ser texto de exactamente cinco/,
      en: /came as a number/,
    },
    { postal_code: '0660', es: /es "0660"\. Debe ser texto de exactamente cinco dígitos/, en: /exactly five digits/ },
    { postal_code: '066000', es: /Debe ser texto de exactamente cinco dígitos/, en: /exactly five digits/ },
    { postal_code: 'C.P. 06600', es: /Debe ser texto de exactamente cinco dígitos/, en: /exactly five digits/ },
    { postal_code: 17_000, es: /Debe ser texto de exactamente cinco dígitos/, en: /exactly five digits/ },
    { postal_code: '17000', es: /Ningún código postal de México empieza con 17\./, en: /begins with 17\./ },
    {
      postal_code: undefined,
      es: /^Falta location\.postal_code\. Envíe/,
      en: /^location\.postal_code is missing\. Send/,
    },
    { postal_code: ' ', es: /^location\.postal_code está vacío\. Envíe/, en: /is empty\. Send the postal code/ },
    { postal_code: true, es: /llegó como booleano\. Envíe/, en: /came as a boolean/ },
  ])('$postal_code: the message says what is wrong', ({ postal_code, es, en }) => {
    const { message_es, message_en } = onlyReason({ location: { postal_code } })
    expect(message_es).toMatch(es)
    expect(message_en).toMatch(en)
  })

  test('of another state: the message names both', () => {
    const { message_es, message_en } = onlyReason({ location: { postal_code: '44100', state: 'CDMX' } })
    expect(message_es).toContain('"44100" es de Jalisco, pero location.state es "CDMX"')
    expect(message_en).toContain('"44100" belongs to Jalisco, but location.state is "CDMX"')
  })

  test('the rules ask the list that they were given, and ask it for well-formed codes alone', () => {
    const asked: string[] = []
    const book = ruleBook({
      postalCodes: {
        known: code => {
          asked.push(code)
          return false
        },
        stateOf: () => 'Ciudad de México',
        edition: 'test',
      },
    })
    const codes = (postal_code: unknown) =>
      book.reasonsOf(propertyAsSent(JSON.stringify(listing({ location: { postal_code } })), 0)).map(({ code }) => code)
    expect(codes('06600')).toContain('postal_code_unknown')
    expect(codes('6600')).not.toContain('postal_code_unknown')
    expect(codes(undefined)).not.toContain('postal_code_unknown')
    expect(asked).toEqual(['06600'])
  })
})

test('the fields point into location', () => {
  const fields = BOOK.rules.filter(({ code }) => code.startsWith('postal_code')).map(({ field }) => field)
  expect(new Set(fields)).toEqual(new Set(['/location/postal_code']))
})
