/**
 * What an operator wants of a partner's polling. The newest record of a partner is what holds, so compaction keeps it
 * and a restart finds it. Times are milliseconds since the Unix epoch.
 */
export interface PartnerCommand {
  readonly partner: string
  /** No new cycle begins; one that runs ends. */
  readonly paused: boolean
  /** A cycle is wanted now; done by the first one that starts later. */
  readonly run_requested_at: number | null
  /** That cycle asks both feeds for all they have. */
  readonly run_full: boolean
  readonly changed_at: number
}

export const samplePartnerCommand: PartnerCommand = {
  partner: 'acme',
  paused: false,
  run_requested_at: 1_790_000_000_000,
  run_full: true,
  changed_at: 1_790_000_000_000,
}
