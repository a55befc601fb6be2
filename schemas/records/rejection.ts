import type { Reason } from '../verdict.ts'

/** A property version that was refused, with every reason at once. Times are milliseconds since the Unix epoch. */
export interface Rejection {
  readonly partner: string
  /** Null where the partner sent no usable one (assumption A12); the record's key then carries a hash of the body. */
  readonly external_id: string | null
  readonly cycle: number
  readonly sequence: number
  readonly received_at: number
  readonly rule_set: string
  readonly reasons: readonly Reason[]
  readonly body: string
}

export const sampleRejection: Rejection = {
  partner: 'acme',
  external_id: 'CRM-1',
  cycle: 1_790_000_000_000,
  sequence: 0,
  received_at: 1_790_000_000_250,
  rule_set: '1',
  reasons: [
    {
      code: 'price_missing',
      severity: 'BLOCK',
      field: '/price',
      message_es: 'Falta el precio.',
      message_en: 'The price is missing.',
    },
  ],
  body: '{"external_id":"CRM-1"}',
}
