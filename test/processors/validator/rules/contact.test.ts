import { describe, expect, test } from 'vitest'
import { listing } from '../../../support/listings.ts'
import { codesFor, onlyReason, reasonsFor } from '../verdicts.ts'

const NO_EMAIL = ['contact_email_invalid']

test.each([undefined, null, '', ' ', '\u200b', 7, ['María'], {}])('contact_name_missing (contract 2.1): %j', name => {
  expect(codesFor({ contact: { name } })).toEqual(['contact_name_missing'])
})

test('contact_name_missing (contract 2.1): one letter is a name', () => {
  expect(codesFor({ contact: { name: 'Ñ' } })).toEqual([])
})

describe('contact_email_invalid (contract 2.1)', () => {
  test.each([
    'maria@acme.example',
    'maria.hernandez+ventas@sub.acme.com.mx',
    "o'brien_1@a-b.mx",
    'MARIA@ACME.MX',
    'ventas@inmobiliaria-año.mx',
    '1@1.mx',
    "!#$%&'*+/=?^_`{|}~-.!#$%&'*+/=?^_`{|}~-@acme.mx",
    'a@b.c1d',
    `${'x'.repeat(64)}@acme.mx`,
    `x@${'y'.repeat(63)}.${'z'.repeat(63)}.${'w'.repeat(63)}.${'v'.repeat(57)}.mx`,
  ])('%s is an address', email => {
    expect(codesFor({ contact: { email } })).toEqual([])
  })

  test.each([
    undefined,
    null,
    '',
    ' ',
    5,
    ['a@b.mx'],
    'maria',
    'maria en acme.example',
    '@acme.mx',
    'maria@',
    'maria@@acme.mx',
    'maria@acme',
    'maria@acme.m',
    'maria@acme.123',
    'maria@.mx',
    'maria@acme..mx',
    'maria@-acme.mx',
    'maria@acme-.mx',
    'maria@acme.mx.',
    'maria@ac_me.mx',
    '.maria@acme.mx',
    'maria.@acme.mx',
    'ma..ria@acme.mx',
    'maría@acme.mx',
    'maria@acme.mx ',
    ' maria@acme.mx',
    'maria @acme.mx',
    'maria@acme.mx\n',
    'maria@acme.mx, juan@acme.mx',
    'María <maria@acme.mx>',
    'mailto:maria@acme.mx',
    `${'x'.repeat(65)}@acme.mx`,
    `x@${'y'.repeat(63)}.${'z'.repeat(63)}.${'w'.repeat(63)}.${'v'.repeat(58)}.mx`,
  ])('%j is none', email => {
    expect(codesFor({ contact: { email } })).toEqual(NO_EMAIL)
  })

  test.each([
    { email: 'maria', es: /^contact\.email no tiene arroba/, en: /has no @/ },
    { email: 'a@b.mx;c@d.mx', es: /^contact\.email tiene más de una arroba/, en: /more than one @/ },
    { email: 'maria h@acme.mx', es: /^contact\.email contiene espacios/, en: /contains blanks/ },
    {
      email: 'maría@acme.mx',
      es: /^contact\.email tiene acentos .* antes de la arroba/,
      en: /accents .* before the @/,
    },
    { email: 'maria@acme', es: /^contact\.email no es una dirección de correo/, en: /is no e-mail address/ },
    { email: 'maria@ácme', es: /^contact\.email no es una dirección de correo/, en: /is no e-mail address/ },
    { email: `a@${'b'.repeat(253)}`, es: /^contact\.email es demasiado largo/, en: /is too long/ },
    { email: `a@${'b'.repeat(252)}`, es: /^contact\.email no es una dirección/, en: /is no e-mail address/ },
    { email: '', es: /^contact\.email está vacío/, en: /is empty/ },
    { email: undefined, es: /^Falta contact\.email/, en: /is missing/ },
    { email: 9, es: /^contact\.email llegó como número/, en: /came as a number/ },
  ])('$email: the message says what is wrong', ({ email, es, en }) => {
    const { message_es, message_en } = onlyReason({ contact: { email } })
    expect(message_es).toMatch(es)
    expect(message_es).toMatch(/Envíe una sola dirección de correo/)
    expect(message_en).toMatch(en)
    expect(message_en).toMatch(/Send a single e-mail address/)
  })

  test('text made to be slow to match is judged at once', () => {
    const started = performance.now()
    for (const email of [
      `a@${'a-'.repeat(125)}`,
      `a@${'a.'.repeat(125)}_`,
      'a.'.repeat(500_000),
      `a@${'b'.repeat(1_000_000)}`,
    ]) {
      expect(codesFor({ contact: { email } })).toEqual(NO_EMAIL)
    }
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('contact_phone (contract 2.1: digits)', () => {
  test.each(['5512345678', '55 1234 5678', '(55) 1234-5678', '+52 55 1234 5678', '55.1234.5678', '+1 (415) 555-2671'])(
    '%s is fine',
    phone => {
      expect(codesFor({ contact: { phone } })).toEqual([])
    },
  )

  test.each(['5215512345678', '+52 1 55 1234 5678', '044 55 1234 5678', '045-551-234-5678'])(
    '%s: old mobile prefixes are stripped first',
    phone => {
      expect(codesFor({ contact: { phone } })).toEqual([])
    },
  )

  test.each([
    undefined,
    null,
    '',
    '  ',
    '-',
    '+',
    '()',
    5_512_345_678,
    ['5512345678'],
    '55 1234 5678 ext. 9',
    'tel. 5512345678',
    '55#12345678',
    '55+12345678',
    '++525512345678',
  ])('%j is no telephone number', phone => {
    expect(codesFor({ contact: { phone } })).toEqual(['contact_phone_invalid'])
  })

  test.each([
    '1',
    '12345678',
    '1234567890',
    '0000000000',
    '55123456789',
    '0440012345678',
    '+1 000',
    '5512345678 / 5587654321',
  ])('%s has digits but is hardly one', phone => {
    expect(codesFor({ contact: { phone } })).toEqual(['contact_phone_unlikely'])
  })

  test.each([
    { phone: 'llámame', es: /^contact\.phone no tiene ningún dígito/, en: /has no digit/ },
    { phone: '---', es: /^contact\.phone no tiene ningún dígito/, en: /has no digit/ },
    {
      phone: '5512345678 ext 3',
      es: /^contact\.phone tiene letras u otros caracteres/,
      en: /letters or other characters/,
    },
    { phone: '', es: /^contact\.phone está vacío/, en: /is empty/ },
    { phone: undefined, es: /^Falta contact\.phone/, en: /is missing/ },
    { phone: 5_512_345_678, es: /^contact\.phone llegó como número/, en: /came as a number/ },
  ])('$phone: the message says what is wrong', ({ phone, es, en }) => {
    const { message_es, message_en } = onlyReason({ contact: { phone } })
    expect(message_es).toMatch(es)
    expect(message_es).toMatch(/Envíe un solo teléfono/)
    expect(message_en).toMatch(en)
    expect(message_en).toMatch(/Send one telephone number/)
  })

  test.each([
    { phone: '12345678', es: /tiene 8 dígitos y no parece/, en: /has 8 digits and does not look/ },
    { phone: '521 00 1234 5678', es: /prefijo de celular antiguo \(521, 044 o 045\)/, en: /old mobile prefix/ },
    { phone: '0440012345678', es: /prefijo de celular antiguo/, en: /old mobile prefix/ },
    { phone: '0450012345678', es: /prefijo de celular antiguo/, en: /old mobile prefix/ },
    { phone: '0460012345678', es: /tiene 13 dígitos/, en: /has 13 digits/ },
    { phone: '90440012345678', es: /tiene 14 dígitos/, en: /has 14 digits/ },
    { phone: '04400123456789', es: /tiene 14 dígitos/, en: /has 14 digits/ },
  ])('$phone: the message says why it is unlikely', ({ phone, es, en }) => {
    const { message_es, message_en } = onlyReason({ contact: { phone } })
    expect(message_es).toMatch(es)
    expect(message_en).toMatch(en)
  })
})

describe('contact as a whole', () => {
  const ALL = ['contact_name_missing', 'contact_email_invalid', 'contact_phone_invalid']

  test.each([undefined, null, 'María, 5512345678', ['María'], 5])(
    '%j: every required field of it is missing',
    contact => {
      expect(reasonsFor(listing({ contact })).map(({ code }) => code)).toEqual(ALL)
    },
  )

  test('text instead of an object: each message says so', () => {
    for (const { message_es } of reasonsFor(listing({ contact: 'María' }))) {
      expect(message_es).toMatch(/^Falta contact\.\w+\. contact llegó como texto y debe ser un objeto\./)
    }
  })
})

describe('no message repeats personal data', () => {
  test.each<{ name: string; contact: unknown }>([
    {
      name: 'in each field, unusable',
      contact: { name: ' ', email: 'Zutano Zutánez zutano.example', phone: 'Zutano 8675309' },
    },
    { name: 'an unlikely number', contact: { name: 'Zutano', email: 'zutano@@zutano.example', phone: '8675309' } },
    { name: 'an old prefix', contact: { name: 'Zutano', email: 'zutano@zutano', phone: '521 00 8675 309' } },
    { name: 'of other types', contact: { name: ['Zutano'], email: { a: 'zutano@zutano.mx' }, phone: 8_675_309 } },
    { name: 'all in one text', contact: 'Zutano, zutano@zutano.mx, 8675309' },
  ])('$name', ({ contact }) => {
    const reasons = reasonsFor(listing({ contact }))
    expect(reasons.length).toBeGreaterThan(1)
    for (const { message_es, message_en } of reasons) {
      expect(`${message_es} ${message_en}`).not.toMatch(/zut|8675|5309/i)
    }
  })
})
