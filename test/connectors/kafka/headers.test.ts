import { describe, expect, test } from 'vitest'
import { headersOf, newTraceparent } from '../../../connectors/kafka/headers.ts'

const EVENT = {
  id: 'acme/7/1/0',
  type: 'predio.listing.accepted',
  partner: 'acme',
  timeMs: Date.UTC(2026, 0, 31, 12, 0, 0, 5),
}
const inText = (headers: object): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

describe('headersOf (CloudEvents, Kafka protocol binding 1.0)', () => {
  test('the required attributes, in binary mode', () => {
    expect(inText(headersOf(EVENT))).toEqual({
      ce_specversion: '1.0',
      ce_id: 'acme/7/1/0',
      ce_type: 'predio.listing.accepted',
      ce_source: '/partners/acme',
      ce_time: '2026-01-31T12:00:00.005Z',
      'content-type': 'application/avro',
    })
  })

  test('the same record written again has the same headers: ce_id is what to deduplicate by', () => {
    expect(headersOf(EVENT)).toEqual(headersOf(EVENT))
  })

  test.each(['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', Buffer.from('00-0af7')])(
    'a trace goes on: %s',
    traceparent => {
      expect(headersOf({ ...EVENT, traceparent }).traceparent).toBe(traceparent)
    },
  )

  test('no trace, no header', () => {
    expect(headersOf({ ...EVENT, traceparent: undefined })).not.toHaveProperty('traceparent')
  })
})

describe('newTraceparent (W3C Trace Context)', () => {
  test('version 00, sampled', () => {
    expect(newTraceparent()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })

  test('another trace each time', () => {
    expect(newTraceparent()).not.toBe(newTraceparent())
  })
})
