/** What an answer's status does to the cycle (contract 7, assumption A7). */
export type StatusOutcome = 'read' | 'empty' | 'wait' | 'fail' | 'fail-auth' | 'fail-redirect'

const OUTCOMES: Readonly<Record<number, StatusOutcome>> = {
  200: 'read',
  204: 'empty',
  401: 'fail-auth',
  403: 'fail-auth',
  429: 'wait',
  503: 'wait',
}

/** A status that nobody listed fails the cycle: that can never move `since`. */
export function outcomeOf(status: number): StatusOutcome {
  if (status >= 300 && status < 400) return 'fail-redirect'
  return OUTCOMES[status] ?? 'fail'
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/**
 * How long to stay away after a 429 or 503.
 *
 * @param retryAfter `Retry-After` as received: whole seconds or an HTTP date; undefined when absent
 * @param attempt    0 for the first refusal of a request, then 1, 2, ...
 * @param chance     0 to 1; spreads partners that were refused together
 * @returns          milliseconds; what the partner asked for in full, but 1 s at least: waits of nothing would never use the
 *                   cycle's budget up. Without a readable wish 1 s doubling up to 60 s, with jitter
 * @source           contract 7 rule 1; RFC 9110 section 10.2.3
 */
export function waitMs(retryAfter: string | undefined, attempt: number, nowMs: number, chance: number): number {
  const asked = retryAfter === undefined ? Number.NaN : askedMs(retryAfter.trim(), nowMs)
  if (!Number.isNaN(asked)) return Math.max(FIRST_WAIT_MS, asked)
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + chance / 2)
}

const askedMs = (retryAfter: string, nowMs: number): number =>
  /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - nowMs
