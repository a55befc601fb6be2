/** One id that the partner reported as deleted or withdrawn (contract 4.2). Times are milliseconds since the Unix epoch. */
export interface Deletion {
  readonly partner: string
  readonly external_id: string
  readonly cycle: number
  readonly sequence: number
  readonly received_at: number
  readonly generated_at: number | null
  /** The answer to a request without `since`: every deletion that the partner still remembers. */
  readonly whole: boolean
}

export const sampleDeletion: Deletion = {
  partner: 'acme',
  external_id: 'CRM-1',
  cycle: 1_790_000_000_000,
  sequence: 0,
  received_at: 1_790_000_000_250,
  generated_at: 1_790_000_000_200,
  whole: false,
}
