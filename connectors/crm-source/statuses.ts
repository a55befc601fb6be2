import type { ErrorCode } from '../../schemas/errors.ts'
import { httpDateMs } from './http-date.ts'

/** What an answer's status does to the cycle (contract 7, assumption A7). */
export type StatusOutcome = 'read' | 'empty' | 'wait' | 'fail' | 'fail-auth' | 'fail-redirect'

const OUTCOMES: Readonly<Record<number, StatusOutcome>> = {
  200: 'read',
  204: 'empty',
  400: 'fail', // asked again without the parameter, the partner would send all it has as if that were what changed
  401: 'fail-auth',
  403: 'fail-auth',
  429: 'wait',
  500: 'fail', // contract 7 rule 2
  503: 'wait',
}

/** A status that nobody listed fails the cycle: that can never move `since`. */
export function outcomeOf(status: number): StatusOutcome {
  if (status >= 300 && status < 400) return 'fail-redirect'
  return OUTCOMES[status] ?? 'fail'
}

/** How the cycle ends: after `wait` when its budget is used up, after `fail-auth` when there is no other credential. */
export const FAILURES: Readonly<Record<Exclude<StatusOutcome, 'read' | 'empty'>, ErrorCode>> = {
  wait: 'PARTNER_BUSY',
  fail: 'PARTNER_STATUS',
  'fail-auth': 'PARTNER_AUTH',
  'fail-redirect': 'PARTNER_REDIRECT',
}

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/**
 * How long to stay away after a 429 or 503.
 *
 * @param retryAfter `Retry-After` as received: whole seconds or an HTTP date; anything else counts as absent
 * @param attempt    0 for the first refusal of a request, then 1, 2, ...
 * @param nowMs      by the clock that wrote the date, milliseconds since the Unix epoch
 * @param chance     0 to 1; spreads partners that were refused together
 * @returns          milliseconds, up to Infinity: what the partner asked for in full, but 1 s at least, as waits of nothing
 *                   would never use the cycle's budget up. Without a readable wish 1 s doubling up to 60 s, with jitter
 * @source           contract 7 rule 1; RFC 9110 section 10.2.3
 */
export function waitMs(retryAfter: string | undefined, attempt: number, nowMs: number, chance: number): number {
  const asked = retryAfter === undefined ? undefined : askedMs(retryAfter.trim(), nowMs)
  if (asked !== undefined) return Math.max(FIRST_WAIT_MS, asked)
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + chance / 2)
}

function askedMs(retryAfter: string, nowMs: number): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const dateMs = httpDateMs(retryAfter)
  return dateMs === undefined ? undefined : dateMs - nowMs
}
