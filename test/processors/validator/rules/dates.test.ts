import { describe, expect, test } from 'vitest'
import { codesFor, onlyReason, RECEIVED_AT_MS } from '../verdicts.ts'

const DAY_MS = 86_400_000
const INVALID = ['updated_at_invalid']
const at = (instantMs: number) => new Date(instantMs).toISOString()

describe('updated_at_invalid (contract 2.1)', () => {
  test.each<{ name: string; updated_at: unknown; codes: readonly string[] }>([
    { name: 'UTC', updated_at: '2026-11-20T18:30:00Z', codes: [] },
    { name: 'with an offset', updated_at: '2026-11-20T12:30:00.123-06:00', codes: [] },
    { name: 'absent', updated_at: undefined, codes: [] },
    { name: 'null', updated_at: null, codes: [] },
    { name: 'years ago', updated_at: '1999-01-01T00:00:00Z', codes: [] },
    { name: 'exactly a day from now', updated_at: at(RECEIVED_AT_MS + DAY_MS), codes: [] },
    { name: 'a millisecond more', updated_at: at(RECEIVED_AT_MS + DAY_MS + 1), codes: INVALID },
    { name: 'no zone', updated_at: '2026-11-20T12:30:00', codes: INVALID },
    { name: 'a blank for the T', updated_at: '2026-11-20 12:30:00Z', codes: INVALID },
    { name: 'a day alone', updated_at: '2026-11-20', codes: INVALID },
    { name: '30 February', updated_at: '2026-02-30T00:00:00Z', codes: INVALID },
    { name: 'day first', updated_at: '20/11/2026', codes: INVALID },
    { name: 'empty', updated_at: '', codes: INVALID },
    { name: 'seconds since 1970', updated_at: 1_790_000_000, codes: INVALID },
    { name: '0', updated_at: 0, codes: INVALID },
    { name: 'false', updated_at: false, codes: INVALID },
    { name: 'an object', updated_at: { $date: '2026-11-20T18:30:00Z' }, codes: INVALID },
  ])('$name', ({ updated_at, codes }) => {
    expect(codesFor({ updated_at })).toEqual(codes)
  })

  test.each([
    {
      updated_at: '2027-11-20T18:30:00Z',
      es: /"2027-11-20T18:30:00Z", una fecha en el futuro/,
      en: /a date in the future/,
    },
    { updated_at: '2026-11-20 12:30:00', es: /le falta la zona horaria/, en: /lacks its time zone/ },
    { updated_at: '2026-11-20T12:30', es: /le falta la zona horaria/, en: /lacks its time zone/ },
    { updated_at: '2026-11-20T12:30:00.5', es: /le falta la zona horaria/, en: /lacks its time zone/ },
    { updated_at: 'ayer 2026-11-20T12:30', es: /no es una fecha ISO 8601 completa/, en: /no complete ISO 8601 date/ },
    { updated_at: '2026-11-20T12:30 h', es: /no es una fecha ISO 8601 completa/, en: /no complete ISO 8601 date/ },
    { updated_at: '20/11/2026', es: /"20\/11\/2026", que no es una fecha ISO 8601/, en: /no complete ISO 8601 date/ },
    { updated_at: 1_790_000_000, es: /llegó como número\. Envíe un texto/, en: /came as a number\. Send a text/ },
    { updated_at: [], es: /llegó como lista/, en: /came as a list/ },
  ])('$updated_at: the message says what is wrong', ({ updated_at, es, en }) => {
    const { message_es, message_en, severity } = onlyReason({ updated_at })
    expect(message_es).toMatch(es)
    expect(message_en).toMatch(en)
    expect(severity).toBe('DRAFT')
  })
})
