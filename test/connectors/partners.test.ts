import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mistakeText, parsePartners, readPartners, resolveSecret } from '../../connectors/partners.ts'
import { errorOf } from '../schemas/error-of.ts'
import { fileHolding } from './given-file.ts'
import { ACME, fileOf, fileOfAcme } from './partner-file.ts'

const onlyPartner = (changes: object) => {
  const { partners, mistakes } = parsePartners(fileOfAcme(changes))
  expect(mistakes).toEqual([])
  return partners[0]!
}

describe('a partner file', () => {
  test('the shortest one, with every default (design section 11)', () => {
    expect(parsePartners(fileOf(ACME))).toMatchObject({
      mistakes: [],
      partners: [
        {
          ...ACME,
          every: 3_600_000,
          page_size: 200,
          requests_per_minute: 60,
          request_timeout: 300_000,
          overlap: 300_000,
          language: 'es',
          allow_private: false,
        },
      ],
    })
  })

  test('the same in YAML, with everything said', () => {
    const { partners, mistakes } = parsePartners(`
# two partners
partners:
  - id: acme
    base_url: https://crm.acme.example/
    auth: { scheme: bearer, secret: file:/run/secrets/acme }
    every: 30m
    page_size: 500
    requests_per_minute: 0.5
    request_timeout: 30s
    overlap: 1d
    language: en
    webhook: { path: /api/webhooks/marketplace/feedback, secret: env:ACME_WEBHOOK_SECRET }
  - id: local
    base_url: http://127.0.0.1:8080
    auth: { header: X-Api-Key, secret: env:LOCAL }
    allow_private: true
`)
    expect(mistakes).toEqual([])
    expect(partners).toMatchObject([
      {
        base_url: 'https://crm.acme.example',
        auth: { scheme: 'bearer', secret: 'file:/run/secrets/acme' },
        ...{ every: 1_800_000, page_size: 500, requests_per_minute: 0.5, request_timeout: 30_000, overlap: 86_400_000 },
        language: 'en',
        webhook: { path: '/api/webhooks/marketplace/feedback', secret: 'env:ACME_WEBHOOK_SECRET' },
      },
      { id: 'local', base_url: 'http://127.0.0.1:8080', allow_private: true },
    ])
  })

  test.each([undefined, 2, '\t'])('JSON indented by %j is YAML, too', indent => {
    const text = JSON.stringify({ partners: [ACME, { ...ACME, id: 'beta' }] }, null, indent)
    expect(parsePartners(text).partners.map(({ id }) => id)).toEqual(['acme', 'beta'])
  })
})

describe('values at their limits', () => {
  test.each<{ name: string; changes: object; read: object }>([
    { name: 'an id of one character', changes: { id: 'a' }, read: { id: 'a' } },
    { name: 'of 40', changes: { id: `a${'-'.repeat(38)}9` }, read: { id: `a${'-'.repeat(38)}9` } },
    {
      name: 'a path in base_url',
      changes: { base_url: 'https://acme.example/crm/v2//' },
      read: { base_url: 'https://acme.example/crm/v2' },
    },
    {
      name: 'capitals in base_url',
      changes: { base_url: 'HTTPS://CRM.Acme.example' },
      read: { base_url: 'https://crm.acme.example' },
    },
    {
      name: 'an empty query is no part of the address',
      changes: { base_url: 'https://crm.acme.example?' },
      read: { base_url: 'https://crm.acme.example' },
    },
    {
      name: 'a port',
      changes: { base_url: 'https://crm.acme.example:8443/' },
      read: { base_url: 'https://crm.acme.example:8443' },
    },
    { name: 'a second', changes: { every: '1s' }, read: { every: 1_000 } },
    { name: 'seven days', changes: { every: '7d' }, read: { every: 604_800_000 } },
    { name: 'half an hour', changes: { every: '0.5h' }, read: { every: 1_800_000 } },
    { name: 'no overlap', changes: { overlap: '0s' }, read: { overlap: 0 } },
    { name: 'a tenth of a second', changes: { request_timeout: '0.1s' }, read: { request_timeout: 100 } },
    {
      name: 'a time that is no whole number of milliseconds: timers take no other',
      changes: { request_timeout: '1.0004s' },
      read: { request_timeout: 1_000 },
    },
    { name: 'a time that binary fractions miss by a hair', changes: { every: '1.1h' }, read: { every: 3_960_000 } },
    { name: 'a page of one', changes: { page_size: 1 }, read: { page_size: 1 } },
    { name: 'a page of 10,000', changes: { page_size: 10_000 }, read: { page_size: 10_000 } },
    {
      name: 'an Authorization header of the partner’s own kind',
      changes: { auth: { header: 'Authorization', secret: 'env:_A1' } },
      read: { auth: { header: 'Authorization', secret: 'env:_A1' } },
    },
    {
      name: 'http where private addresses are allowed',
      changes: { base_url: 'http://10.0.0.7', allow_private: true },
      read: { base_url: 'http://10.0.0.7' },
    },
  ])('$name', ({ changes, read }) => {
    expect(onlyPartner(changes)).toMatchObject(read)
  })

  test('every duration comes out in whole milliseconds', () => {
    const text = fc.tuple(fc.nat({ max: 700 }), fc.nat({ max: 999 }), fc.constantFrom('s', 'm', 'h', 'd'))
    fc.assert(
      fc.property(text, ([whole, fraction, unit]) => {
        const { partners } = parsePartners(fileOfAcme({ every: `${whole}.${fraction}${unit}` }))
        for (const { every } of partners) expect(Number.isInteger(every)).toBe(true)
      }),
    )
  })
})

describe('readPartners', () => {
  test('a good file', () => {
    expect(readPartners(fileHolding(fileOf(ACME))).map(({ id }) => id)).toEqual(['acme'])
  })

  test('a file that is not there', () => {
    const error = errorOf(() => readPartners('/nowhere/partners.yaml'))
    expect(error).toMatchObject({
      code: 'CONFIG_UNREADABLE',
      context: { file: '/nowhere/partners.yaml', reason: 'ENOENT' },
    })
  })

  test('mistakes in one sentence, and as a list for whoever wants to show them otherwise', () => {
    const path = fileHolding('partners:\n  - id: Acme\n    base_url: x\n')
    const error = errorOf(() => readPartners(path))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.message).toContain(
      `${path}:2 partners[0].id must be 1 to 40 of a-z, 0-9 and inner hyphens; ${path}:3 partners[0].base_url must be an http(s) URL`,
    )
    expect(error.cause).toHaveLength(3)
  })

  test.each([
    { mistake: { path: 'partners[0].id', line: 3, message: 'is wrong' }, text: 'p.yaml:3 partners[0].id is wrong' },
    {
      mistake: { path: 'partners[0].id', line: undefined, message: 'is wrong' },
      text: 'p.yaml partners[0].id is wrong',
    },
    { mistake: { path: '', line: 3, message: 'is wrong' }, text: 'p.yaml:3 is wrong' },
  ])('$text', ({ mistake, text }) => {
    expect(mistakeText('p.yaml', mistake)).toBe(text)
  })
})

describe('resolveSecret', () => {
  test('from a variable', () => {
    expect(resolveSecret('env:KEY', { KEY: 'sk-1' })).toBe('sk-1')
  })

  test.each(['sk-1', 'sk-1\n', 'sk-1\r\n', 'sk-1 \n\n'])('from a file that holds %j', text => {
    expect(resolveSecret(`file:${fileHolding(text)}`, {})).toBe('sk-1')
  })

  test.each([
    { name: 'a variable that is not set', reference: 'env:KEY', reason: 'is not set' },
    { name: 'an empty variable', reference: 'env:EMPTY', reason: 'is not set' },
    { name: 'a file that is not there', reference: 'file:/nowhere/key', reason: 'is not set' },
    { name: 'a line feed within (S6)', reference: 'env:CRLF', reason: 'holds other characters than visible ASCII' },
    { name: 'a blank within', reference: 'env:BLANK', reason: 'holds other characters than visible ASCII' },
    { name: 'a letter beyond ASCII', reference: 'env:ACCENT', reason: 'holds other characters than visible ASCII' },
    { name: 'DEL', reference: 'env:DEL', reason: 'holds other characters than visible ASCII' },
  ])('$name: named by its reference, its value is not shown', ({ reference, reason }) => {
    const variables = {
      EMPTY: '',
      CRLF: 'canary\r\nhost: x',
      BLANK: 'canary canary',
      ACCENT: 'canaryñ',
      DEL: 'canary\u007f',
    }
    const error = errorOf(() => resolveSecret(reference, variables))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.context).toEqual({ secret: reference, reason })
    expect(error.message).not.toContain('canary')
  })

  test('the first and the last visible character', () => {
    expect(resolveSecret('env:KEY', { KEY: '!~' })).toBe('!~')
  })
})
