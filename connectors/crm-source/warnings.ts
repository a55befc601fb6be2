import type { DeletionAnswer } from '../../schemas/feeds.ts'

/** What a partner does differently from the contract without making the cycle wrong; counted in the report. */
export type PartnerWarning =
  | 'clock_skewed'
  | 'since_not_echoed'
  | 'generated_at_missing'
  | 'generated_at_skewed'
  | 'deleted_id_unusable'
  | 'next_differs'
  | 'feed_drifted'
  | 'since_aged'

/** Clocks that differ by more are worth a word: half of the default overlap. */
export const SKEW_MAX_MS = 150_000

/**
 * Contract 2.3: `since` is the echo of what was sent, or null where it does not apply; `generated_at` is when the answer was
 * made.
 *
 * @param sent  as sent; undefined when none was
 * @param nowMs when the answer came
 */
export function deletionWarnings(
  { since, generatedAt, deletedIds }: DeletionAnswer,
  sent: string | undefined,
  nowMs: number,
): PartnerWarning[] {
  const warnings: PartnerWarning[] = []
  const echoes =
    since === undefined ||
    since === null ||
    (typeof since === 'string' && sent !== undefined && Date.parse(since) === Date.parse(sent))
  if (!echoes || (sent !== undefined && deletedIds.length > 0 && since === undefined)) warnings.push('since_not_echoed')
  if (generatedAt === null) warnings.push('generated_at_missing')
  else if (Math.abs(generatedAt - nowMs) > SKEW_MAX_MS) warnings.push('generated_at_skewed')
  return warnings
}
