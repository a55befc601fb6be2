import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantOf, sinceText } from '../../schemas/instant.ts'

const NOON = Date.UTC(2026, 0, 31, 12, 0, 0)

describe('instantOf (contract 2.1, RFC 3339; trap S10)', () => {
  test.each<{ name: string; text: unknown; ms: number | undefined }>([
    { name: 'UTC', text: '2026-01-31T12:00:00Z', ms: NOON },
    { name: 'small letters', text: '2026-01-31t12:00:00z', ms: NOON },
    { name: 'an offset behind UTC', text: '2026-01-31T06:00:00-06:00', ms: NOON },
    { name: 'an offset ahead of UTC', text: '2026-01-31T17:30:00+05:30', ms: NOON },
    { name: 'the unknown offset', text: '2026-01-31T12:00:00-00:00', ms: NOON },
    { name: 'the largest offset', text: '2026-02-01T11:59:00+23:59', ms: NOON },
    { name: 'tenths of a second', text: '2026-01-31T12:00:00.5Z', ms: NOON + 500 },
    { name: 'milliseconds', text: '2026-01-31T12:00:00.123Z', ms: NOON + 123 },
    { name: 'seven digits, as .NET has them', text: '2026-01-31T12:00:00.1239999Z', ms: NOON + 123 },
    { name: 'nanoseconds', text: '2026-01-31T12:00:00.123456789Z', ms: NOON + 123 },
    { name: 'ten digits', text: '2026-01-31T12:00:00.1234567890Z', ms: undefined },
    { name: 'a point without digits', text: '2026-01-31T12:00:00.Z', ms: undefined },
    { name: 'no zone: it would be read as local time', text: '2026-01-31T12:00:00', ms: undefined },
    { name: 'a blank for a plus, as a query decodes it', text: '2026-01-31T12:00:00 02:00', ms: undefined },
    { name: 'a blank between date and time', text: '2026-01-31 12:00:00Z', ms: undefined },
    { name: 'an offset without a colon', text: '2026-01-31T12:00:00+0200', ms: undefined },
    { name: 'an offset of 24 hours', text: '2026-01-31T12:00:00+24:00', ms: undefined },
    { name: 'an offset of 60 minutes', text: '2026-01-31T12:00:00+01:60', ms: undefined },
    { name: 'no seconds', text: '2026-01-31T12:00Z', ms: undefined },
    { name: 'a date alone', text: '2026-01-31', ms: undefined },
    { name: '28 February', text: '2026-02-28T00:00:00Z', ms: Date.UTC(2026, 1, 28) },
    { name: '29 February of no leap year', text: '2026-02-29T00:00:00Z', ms: undefined },
    { name: '29 February of a leap year', text: '2028-02-29T00:00:00Z', ms: Date.UTC(2028, 1, 29) },
    { name: '29 February 2100, no leap year', text: '2100-02-29T00:00:00Z', ms: undefined },
    { name: '29 February 2000, a leap year', text: '2000-02-29T00:00:00Z', ms: Date.UTC(2000, 1, 29) },
    { name: '30 February: it would roll over into March', text: '2026-02-30T00:00:00Z', ms: undefined },
    { name: '31 April', text: '2026-04-31T00:00:00Z', ms: undefined },
    { name: '30 April', text: '2026-04-30T00:00:00Z', ms: Date.UTC(2026, 3, 30) },
    { name: '31 December', text: '2026-12-31T23:59:59Z', ms: Date.UTC(2026, 11, 31, 23, 59, 59) },
    { name: 'day 0', text: '2026-01-00T00:00:00Z', ms: undefined },
    { name: 'month 0', text: '2026-00-10T00:00:00Z', ms: undefined },
    { name: 'month 13', text: '2026-13-10T00:00:00Z', ms: undefined },
    { name: 'hour 24', text: '2026-01-30T24:00:00Z', ms: undefined },
    { name: 'minute 60', text: '2026-01-30T12:60:00Z', ms: undefined },
    { name: 'second 60: no clock of ours knows leap seconds', text: '2016-12-31T23:59:60Z', ms: undefined },
    { name: 'something before', text: ' 2026-01-31T12:00:00Z', ms: undefined },
    { name: 'something behind', text: '2026-01-31T12:00:00Z\n', ms: undefined },
    { name: 'a signed year', text: '+002026-01-31T12:00:00Z', ms: undefined },
    { name: 'digits of another script', text: '２０２６-01-31T12:00:00Z', ms: undefined },
    { name: 'the Unix epoch', text: '1970-01-01T00:00:00Z', ms: 0 },
    { name: 'a number', text: NOON, ms: undefined },
    { name: 'a Date', text: new Date(NOON), ms: undefined },
    { name: 'null', text: null, ms: undefined },
    { name: 'absent', text: undefined, ms: undefined },
  ])('$name', ({ text, ms }) => {
    expect(instantOf(text)).toBe(ms)
  })

  test('every instant comes back from its own text, whatever the offset it is written with', () => {
    const minute = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 })
    const date = fc.date({ min: new Date('1000-01-02'), max: new Date('9998-12-30'), noInvalidDate: true })
    fc.assert(
      fc.property(date, minute, (instant, offset) => {
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 23)
        const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
        expect(instantOf(local + zone)).toBe(instant.getTime())
      }),
    )
  })
})

describe('sinceText (contract 4.1, trap S10)', () => {
  test.each([
    { name: 'whole seconds', ms: NOON, text: '2026-01-31T12:00:00Z' },
    { name: 'the last millisecond of a second is that second', ms: NOON + 999, text: '2026-01-31T12:00:00Z' },
    { name: 'the next second', ms: NOON + 1_000, text: '2026-01-31T12:00:01Z' },
    { name: 'before the epoch it is rounded down, too', ms: -1, text: '1969-12-31T23:59:59Z' },
  ])('$name', ({ ms, text }) => {
    expect(sinceText(ms)).toBe(text)
  })

  test('is what instantOf reads, never later than asked and never a second earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), ms => {
        const read = instantOf(sinceText(ms))!
        expect(ms - read).toBeGreaterThanOrEqual(0)
        expect(ms - read).toBeLessThan(1_000)
        expect(sinceText(ms)).toBe(encodeURIComponent(sinceText(ms)).replaceAll('%3A', ':'))
      }),
    )
  })
})
