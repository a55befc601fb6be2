import { createHash } from 'node:crypto'

/**
 * When a partner is polled next. Slots repeat `everyMs` apart from a phase that is the partner's own, so partners do
 * not start together and a restart changes nothing. A slot is left out when the last cycle began less than half an
 * interval before it. What was missed is polled once, at once, and not made up for in a burst.
 *
 * @param lastStartMs start of the partner's last cycle; undefined when it never had one
 * @returns           milliseconds since the Unix epoch, now or later
 */
export function nextPollMs(everyMs: number, phaseMs: number, lastStartMs: number | undefined, nowMs: number): number {
  if (lastStartMs === undefined || lastStartMs > nowMs) return nowMs
  const earliest = lastStartMs + everyMs / 2
  const slot = Math.ceil((earliest - phaseMs) / everyMs) * everyMs + phaseMs
  return Math.max(slot, nowMs)
}

/** 0 to `everyMs`, the same for a partner for ever. */
export function phaseOf(partner: string, everyMs: number): number {
  return createHash('sha256').update(partner).digest().readUInt32BE(0) % everyMs
}

const AUTH_FAILURES_PATIENT = 1
const AUTH_SLOWER = 4

/**
 * How far apart cycles are. A partner that refuses the credential in two cycles in a row needs a person: it is asked
 * four times more seldom until it accepts one.
 */
export function paceOf(everyMs: number, authFailures: number): number {
  return authFailures > AUTH_FAILURES_PATIENT ? AUTH_SLOWER * everyMs : everyMs
}
