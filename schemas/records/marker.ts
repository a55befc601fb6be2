/** A cycle whose records are all in the catalog (design section 3.7). Times are milliseconds since the Unix epoch. */
export interface Marker {
  readonly partner: string
  readonly cycle: number
  /** What the next cycle asks from; also the record's own timestamp, so `--to-datetime` finds it. */
  readonly since: number
  readonly properties: number
  readonly deletions: number
}

export const sampleMarker: Marker = {
  partner: 'acme',
  cycle: 1_790_000_000_000,
  since: 1_789_999_700_000,
  properties: 1_000,
  deletions: 3,
}
