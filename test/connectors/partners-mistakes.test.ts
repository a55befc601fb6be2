import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePartners, readPartners } from '../../connectors/partners.ts'
import { errorOf } from '../schemas/error-of.ts'
import { fileHolding } from './given-file.ts'
import { ACME, fileOf, fileOfAcme } from './partner-file.ts'

/** Place and message of every mistake. */
const mistakesIn = (text: string): string[] =>
  parsePartners(text).mistakes.map(({ path, message }) => `${path} ${message}`.trim())

const ID = 'must be 1 to 40 of a-z, 0-9 and inner hyphens'
const URL = 'must be an http(s) URL'
const URL_ALONE = 'must not carry a user, a query or a fragment'
const HTTPS = 'must be https unless allow_private is true'
const DURATION = 'must be a duration such as 30s, 5m or 1h'
const SECRET = 'must be env:NAME or file:PATH, never the secret itself'
const AUTH = 'must be { header: x-api-key, secret: env:NAME } or { scheme: bearer, secret: env:NAME }'
const missing = (type: string): string => `Invalid input: expected ${type}, received undefined`
const wrongType = (type: string, received: string): string => `Invalid input: expected ${type}, received ${received}`

/** Cases of one field and one message: a name for each value. */
const group = (field: string, message: string, values: Readonly<Record<string, unknown>>, place = field) =>
  Object.entries(values).map(([name, value]) => ({ field, name, value, mistake: `partners[0].${place} ${message}` }))
const keyIn = (header: unknown): object => ({ header, secret: 'env:A' })
const secretOf = (secret: unknown): object => ({ header: 'x-key', secret })

test.each([
  ...group('id', missing('string'), { 'left out': undefined }),
  ...group('id', wrongType('string', 'number'), { 'a number': 7 }),
  ...group('id', ID, {
    empty: '',
    capitals: 'Acme',
    'a slash, which would forge keys (S13)': 'acme/x',
    'a dot, which would part topic names': 'acme.x',
    'an underscore, which collides with the dot': 'acme_x',
    'a hyphen first': '-acme',
    'a hyphen last': 'acme-',
    'a line feed': 'acme\n',
    '41 characters': 'a'.repeat(41),
  }),
  ...group('base_url', missing('string'), { 'left out': undefined }),
  ...group('base_url', URL, {
    'no scheme': 'crm.acme.example',
    empty: '',
    'another scheme': 'ftp://crm.acme.example',
    'a host taken for a scheme': 'localhost:8080',
    'no host': 'https://',
  }),
  ...group('base_url', URL_ALONE, {
    'a user (S2)': 'https://crm@evil.example',
    'a password': 'https://:p@crm.acme.example',
    'a query (contract 4.1 rule 7)': 'https://crm.acme.example?key=1',
    'a fragment': 'https://crm.acme.example#a',
  }),
  ...group('base_url', HTTPS, {
    'http (fault 63)': 'http://crm.acme.example',
    'http in capitals': 'HTTP://crm.acme.example',
    'http on loopback': 'http://127.0.0.1',
  }),
  ...group('auth', AUTH, {
    'left out': undefined,
    'both kinds': { ...ACME.auth, scheme: 'bearer' },
    'another scheme': { scheme: 'basic', secret: 'env:A' },
    'a text': 'env:A',
  }),
  ...group(
    'auth',
    'must be a header name',
    { 'a line feed (S6)': keyIn('x-key\r\nhost: evil'), 'a colon': keyIn('x-key:'), 'no name': keyIn('') },
    'auth.header',
  ),
  ...group(
    'auth',
    'is a header of the request itself',
    { 'the host': keyIn('Host'), 'what no HTTP client lets through': keyIn('keep-alive') },
    'auth.header',
  ),
  ...group(
    'auth',
    SECRET,
    {
      'a name that no shell knows': secretOf('env:A-B'),
      'env: alone': secretOf('env:'),
      'file: alone': secretOf('file:'),
    },
    'auth.secret',
  ),
  ...group('every', wrongType('string', 'number'), { 'a number': 3600 }),
  ...group('every', DURATION, {
    'no unit': '60',
    'an unknown unit': '60ms',
    negative: '-5m',
    'blanks within': '5 m',
    'two units': '1h30m',
    'a fraction without its digits': '1.h',
  }),
  ...group('every', 'must be 1s to 7d', {
    'nothing: it would poll without a pause': '0s',
    'just under a second': '0.999s',
    'three of them fit into no timer': '8d',
    'a millisecond over seven days': '604800.001s',
  }),
  ...group('request_timeout', 'must be 0.1s to 7d', { 'no time to answer': '0s' }),
  ...group('overlap', 'must be 0s to 7d', { 'beyond what partners remember': '30d' }),
  ...group('page_size', 'Too small: expected number to be >=1', { nothing: 0 }),
  ...group('page_size', 'Too big: expected number to be <=10000', { '10,001': 10_001 }),
  ...group('page_size', wrongType('int', 'number'), { 'half a property': 1.5 }),
  ...group('requests_per_minute', 'Too small: expected number to be >0', { none: 0 }),
  ...group('language', 'Invalid option: expected one of "es"|"en"', { 'another one (A10)': 'fr' }),
  ...group('allow_private', wrongType('boolean', 'string'), { 'text for yes': 'true' }),
  ...group(
    'webhook',
    'Invalid string: must start with "/"',
    { elsewhere: { path: 'https://evil.example', secret: 'env:A' } },
    'webhook.path',
  ),
  ...group('webhook', missing('string'), { 'without a secret': { path: '/hook' } }, 'webhook.secret'),
  ...group('webhook', 'Unrecognized key: "url"', { 'with more': { path: '/hook', secret: 'env:A', url: 'x' } }),
])('$field, $name: $mistake', ({ field, value, mistake }) => {
  expect(mistakesIn(fileOfAcme({ [field]: value }))).toEqual([mistake])
})

test('a field nobody knows, so that a slip of the pen is not a silent default', () => {
  expect(mistakesIn(fileOfAcme({ pagesize: 10 }))).toEqual(['partners[0] Unrecognized key: "pagesize"'])
})

describe('every mistake is listed at once', () => {
  test('with its place and line', () => {
    const text = `partners:
  - id: Acme
    base_url: http://crm.acme.example
    auth: { header: x-api-key, secret: env:A }
    every: 5
  - id: beta
    auth: { header: host, secret: env:B }
    page_sise: 10
`
    const { partners, mistakes } = parsePartners(text)
    expect(partners).toEqual([])
    expect(mistakes.map(({ line, path, message }) => [line, path, message]).sort()).toEqual([
      [undefined, 'partners[1].base_url', missing('string')],
      [2, 'partners[0].id', ID],
      [3, 'partners[0].base_url', HTTPS],
      [5, 'partners[0].every', wrongType('string', 'number')],
      [6, 'partners[1]', 'Unrecognized key: "page_sise"'],
      [7, 'partners[1].auth.header', 'is a header of the request itself'],
    ])
  })

  const another = (index: number): string => `partners[${index}].id is the id of another partner already`
  const beta = { ...ACME, id: 'beta' }
  const nobody = { ...ACME, id: undefined }
  test.each([
    { name: 'an id twice', partners: [ACME, ACME], mistakes: [another(1)] },
    {
      name: 'one three times, another twice',
      partners: [ACME, ACME, beta, ACME, beta],
      mistakes: [1, 3, 4].map(another),
    },
    {
      name: 'an id twice beside other mistakes',
      partners: [{ ...ACME, every: 5 }, ACME],
      mistakes: [`partners[0].every ${wrongType('string', 'number')}`, another(1)],
    },
    {
      name: 'http beside other mistakes',
      partners: [{ ...ACME, base_url: 'http://crm.acme.example', auth: undefined }],
      mistakes: [`partners[0].auth ${AUTH}`, `partners[0].base_url ${HTTPS}`],
    },
    {
      name: 'two partners without an id are not two of one id',
      partners: [nobody, nobody],
      mistakes: [0, 1].map(index => `partners[${index}].id ${missing('string')}`),
    },
  ])('$name', ({ partners, mistakes }) => {
    expect(mistakesIn(fileOf(...partners))).toEqual(mistakes)
  })
})

const TENFOLD = (name: string): string => `[${Array(10).fill(name)}]`

describe('a file that is no partner file', () => {
  test.each([
    { name: 'empty', text: '', mistake: wrongType('object', 'null') },
    { name: 'a list', text: '[]', mistake: wrongType('object', 'array') },
    { name: 'a text', text: 'partners', mistake: wrongType('object', 'string') },
    { name: 'no partners', text: '{}', mistake: `partners ${missing('array')}` },
    { name: 'none in it', text: 'partners: []', mistake: 'partners Too small: expected array to have >=1 items' },
    { name: 'one that is no object', text: 'partners: [null]', mistake: `partners[0] ${wrongType('object', 'null')}` },
    {
      name: 'more than partners',
      text: `{"x":1,"partners":[${JSON.stringify(ACME)}]}`,
      mistake: 'Unrecognized key: "x"',
    },
    { name: 'a key twice', text: 'partners: []\npartners: []', mistake: 'Map keys must be unique' },
    { name: 'tabs', text: 'partners:\n\t- id: a', mistake: 'Tabs are not allowed as indentation' },
    { name: 'an alias of nothing', text: 'partners: *acme', mistake: 'its aliases cannot be resolved' },
    {
      name: 'aliases that multiply without end',
      text: `a: &a ${TENFOLD('1')}\nb: &b ${TENFOLD('*a')}\nc: &c ${TENFOLD('*b')}\nd: ${TENFOLD('*c')}`,
      mistake: 'its aliases cannot be resolved',
    },
  ])('$name', ({ text, mistake }) => {
    expect(mistakesIn(text)).toEqual([mistake])
    expect(parsePartners(text).partners).toEqual([])
  })

  test('the line of what cannot be read', () => {
    expect(parsePartners('partners:\n  - id: "acme\n').mistakes).toMatchObject([{ path: '', line: 3 }])
  })

  test('never throws, whatever the text', () => {
    const words = ['partners:', '- id: acme', '  ', '\n', '\t', '{', '}', '[', ']', '&a', '*a', '|', '>', '"', "'", '#']
    const word = fc.constantFrom(...words, '---', '!!x', '%', '? ', ': ', ',', '<<: *a', 'base_url: x')
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 20 }).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(text, written => {
        expect(parsePartners(written).mistakes.length).toBeGreaterThan(0)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a secret pasted into the file is never shown (S6)', () => {
  const CANARY = 'sk-live-canary'
  test.each([
    { name: 'as a secret', text: fileOfAcme({ auth: secretOf(CANARY) }) },
    { name: 'as auth', text: fileOfAcme({ auth: CANARY }) },
    { name: 'as a header', text: fileOfAcme({ auth: keyIn(`${CANARY}:`) }) },
    { name: 'as a scheme', text: fileOfAcme({ auth: { scheme: CANARY, secret: 'env:A' } }) },
    { name: 'as a webhook’s secret', text: fileOfAcme({ webhook: { path: '/hook', secret: CANARY } }) },
    { name: 'as an id', text: fileOfAcme({ id: `${CANARY}!` }) },
    { name: 'in base_url', text: fileOfAcme({ base_url: `https://user:${CANARY}@crm.acme.example` }) },
    { name: 'in a base_url that is none', text: fileOfAcme({ base_url: `https:// ${CANARY}` }) },
    { name: 'as a duration', text: fileOfAcme({ every: CANARY }) },
    { name: 'as a language', text: fileOfAcme({ language: CANARY }) },
    { name: 'behind a stray bracket', text: `partners:\n  - secret: ]${CANARY}` },
    { name: 'behind a reserved character', text: `partners:\n  - secret: @${CANARY}` },
    { name: 'as a block header', text: `partners:\n  - secret: |${CANARY}\n` },
    { name: 'as an alias', text: `partners:\n  - secret: *${CANARY}` },
    { name: 'as a tag', text: `partners:\n  - secret: !${CANARY} x` },
    { name: 'as a directive', text: `%${CANARY} 1\n---\npartners: []` },
    { name: 'with a quote that is not closed', text: `partners:\n  - secret: "${CANARY}\n` },
    { name: 'with a bad escape', text: `partners:\n  - secret: "\\q${CANARY}"` },
    { name: 'between two colons', text: `partners:\n  - secret: ${CANARY}: ${CANARY}: x` },
  ])('$name', ({ text }) => {
    const { mistakes } = parsePartners(text)
    expect(mistakes).not.toEqual([])
    expect(JSON.stringify(mistakes)).not.toContain(CANARY)
    expect(errorOf(() => readPartners(fileHolding(text))).message).not.toContain(CANARY)
  })
})
