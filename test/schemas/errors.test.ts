import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../schemas/error-table.ts'
import { type ErrorCode, PredioError, sentenceOf } from '../../schemas/errors.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

describe('the table', () => {
  test.each(CODES)('%s reads as one sentence: what (where): how to mend it', code => {
    const { text, mend } = ERRORS[code]
    expect(text).toMatch(/^[^\n:]+[^\n.:]$/)
    expect(mend).toMatch(/^[^\n]+[^.\n]$/)
    expect(new PredioError(code).message).toBe(`${text}: ${mend}.`)
  })

  test('a partner’s fault exits with 3, and nobody else’s does (design section 11)', () => {
    const partners = CODES.filter(code => ERRORS[code].exit === 3)
    expect(partners.filter(code => !/^PARTNER_/.test(code))).toEqual(['DELETED_ID_UNUSABLE'])
    expect(CODES.filter(code => /^PARTNER_/.test(code) && ERRORS[code].exit !== 3)).toEqual([])
  })

  test('waiting cannot help where a person has to act: exit 2 is never retriable', () => {
    expect(CODES.filter(code => ERRORS[code].exit === 2 && ERRORS[code].retriable)).toEqual([])
  })
})

describe('PredioError', () => {
  test('takes everything but the context from the table', () => {
    const cause = new Error('ECONNREFUSED')
    const error = new PredioError('PARTNER_UNREACHABLE', { partner: 'acme' }, { cause })
    expect(error).toMatchObject({
      name: 'PredioError',
      code: 'PARTNER_UNREACHABLE',
      retriable: true,
      exitCode: 3,
      cause,
    })
    expect(error.context).toEqual({ partner: 'acme' })
  })

  test.each([
    { name: 'none', context: {}, words: '' },
    { name: 'one', context: { partner: 'acme' }, words: ' (partner acme)' },
    {
      name: 'several, in order',
      context: { partner: 'acme', status: 500, full: true },
      words: ' (partner acme, status 500, full true)',
    },
    { name: 'zero and empty are said', context: { offset: 0, reason: '' }, words: ' (offset 0, reason )' },
    { name: 'null and undefined are not', context: { partner: undefined, status: null }, words: '' },
  ])('context in words: $name', ({ context, words }) => {
    const { text, mend } = ERRORS.TOPIC_MISSING
    expect(new PredioError('TOPIC_MISSING', context).message).toBe(`${text}${words}: ${mend}.`)
  })

  test('is told by its class and code, never by text', () => {
    const error = new PredioError('USAGE')
    expect(PredioError.is(error)).toBe(true)
    expect(PredioError.is(error, 'USAGE')).toBe(true)
    expect(PredioError.is(error, 'CONFIG_INVALID')).toBe(false)
    expect(PredioError.is(new Error(error.message))).toBe(false)
    expect(PredioError.is({ name: 'PredioError', code: 'USAGE' })).toBe(false)
  })
})

test.each([
  {
    name: 'ours: the sentence and the code',
    error: new PredioError('USAGE'),
    sentence: 'the command was not understood: see `predio --help`. [USAGE]',
  },
  { name: 'others: their message', error: new TypeError('bad'), sentence: 'bad' },
  { name: 'a thrown text', error: 'bad', sentence: 'bad' },
  { name: 'nothing', error: undefined, sentence: 'undefined' },
])('sentenceOf $name', ({ error, sentence }) => {
  expect(sentenceOf(error)).toBe(sentence)
})
