import fc from 'fast-check'
import { expect, test } from 'vitest'
import { httpDateMs } from '../../../connectors/crm-source/http-date.ts'

test('an HTTP date is the instant that was written', () => {
  const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  fc.assert(
    fc.property(date, written => {
      expect(httpDateMs(written.toUTCString())).toBe(Math.floor(written.getTime() / 1_000) * 1_000)
    }),
  )
})

test.each([
  undefined,
  '',
  '1',
  '2026',
  'soon',
  'Thu, 15 Jan 2026 12:00:00',
  'Thu, 15 Jan 2026 12:00:00 UTC',
  'Thu, 15 Jan 2026 12:00:00 +0100',
  'thu, 15 jan 2026 12:00:00 gmt',
  ' Thu, 15 Jan 2026 12:00:00 GMT',
  'Fri, 15 Jan 2026 12:00:00 GMT',
  'Sat, 31 Feb 2026 12:00:00 GMT',
  'Thu, 15 Jan 2026 24:00:00 GMT',
  'Thursday, 15-Jan-26 12:00:00 GMT',
  'Thu Jan 15 12:00:00 2026',
  '2026-01-15T12:00:00Z',
  'Thu, 15 Jan 2026 12:00:00 GMT, Thu, 15 Jan 2026 12:00:00 GMT',
])('%j is none', text => {
  expect(httpDateMs(text)).toBeUndefined()
})
