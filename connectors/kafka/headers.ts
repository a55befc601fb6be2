import { randomBytes } from 'node:crypto'
import type { IHeaders } from 'kafkajs'

/**
 * CloudEvents in binary mode (Kafka protocol binding 1.0) and W3C trace context. `ce_id` is the same however often a
 * record is written again, so it is what to deduplicate by.
 */
const SPEC_VERSION = Buffer.from('1.0')
const AVRO = Buffer.from('application/avro')

export interface EventHeaders {
  readonly id: string
  /** Such as `predio.listing.accepted`. */
  readonly type: string
  readonly partner: string
  readonly timeMs: number
  readonly traceparent?: Buffer | string | undefined
}

export function headersOf({ id, type, partner, timeMs, traceparent }: EventHeaders): IHeaders {
  return {
    ce_specversion: SPEC_VERSION,
    ce_id: id,
    ce_type: type,
    ce_source: `/partners/${partner}`,
    ce_time: new Date(timeMs).toISOString(),
    'content-type': AVRO,
    ...(traceparent === undefined ? {} : { traceparent }),
  }
}

/** A new trace, sampled: one for each page, so all that came of it can be found together. */
export function newTraceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
}
