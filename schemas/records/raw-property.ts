/** One property as the partner sent it; `body` is its JSON text, untouched. Times are milliseconds since the Unix epoch. */
export interface RawProperty {
  readonly partner: string
  readonly cycle: number
  readonly sequence: number
  readonly received_at: number
  readonly page: number
  readonly body: string
}

export const sampleRawProperty: RawProperty = {
  partner: 'acme',
  cycle: 1_790_000_000_000,
  sequence: 0,
  received_at: 1_790_000_000_250,
  page: 0,
  body: '{"external_id":"CRM-1","property_type":"office"}',
}
