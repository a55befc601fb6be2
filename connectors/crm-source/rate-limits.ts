/** Answer headers by lower-case name, as undici gives them. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** With more requests left than this there is no hurry to slow down: most crawls end before they are used up. */
const PLENTY = 10
/** A longer pause is better said by a 429, which the cycle's budget judges. */
const LONGEST_PAUSE_MS = 60_000

/**
 * How long to pause before the next request, so that a partner who counts requests need not refuse one.
 *
 * @param nowMs by the partner's clock if known, for resets that are instants
 * @returns     milliseconds, 0 to 60,000: what is left of the window, shared among the requests left in it; 0 while plenty
 *              are left, and for headers that cannot be read: they are a hint, a 429 is the partner's word
 */
export function pauseMs(headers: AnswerHeaders, nowMs: number): number {
  const pauses = limitsOf(headers, nowMs)
    .filter(({ remaining }) => remaining < PLENTY)
    .map(({ remaining, resetMs }) => resetMs / (remaining + 1))
  return Math.min(Math.max(0, ...pauses), LONGEST_PAUSE_MS)
}

interface Limit {
  /** Requests left in the window. */
  readonly remaining: number
  /** Until the window ends; negative when it has. */
  readonly resetMs: number
}

/** The partner writes it, and taking quotes out of a long one could cost seconds. */
const LONGEST_TEXT = 1_000

/** Pairs of headers that are in use: the older IETF drafts', and the ones from before. */
const PAIRED = ['ratelimit', 'x-ratelimit', 'x-rate-limit']

function limitsOf(headers: AnswerHeaders, nowMs: number): Limit[] {
  const structured = textOf(headers.ratelimit)
  const limits = structured === undefined ? [] : structuredLimits(structured, nowMs)
  for (const name of PAIRED) {
    limits.push(limitOf(textOf(headers[`${name}-remaining`]), textOf(headers[`${name}-reset`]), nowMs))
  }
  return limits.filter(limit => limit !== undefined)
}

/**
 * The newer drafts' one header: `"burst";r=5;t=30, "daily";r=900;t=40000`, and of the drafts between
 * `limit=100, remaining=5, reset=30`.
 *
 * @source draft-ietf-httpapi-ratelimit-headers, 03 to 10
 */
function structuredLimits(text: string, nowMs: number): (Limit | undefined)[] {
  if (text.length > LONGEST_TEXT) return []
  const unquoted = text.replace(/"(?:[^"\\]|\\.)*"/g, '') // a policy's name may hold anything
  const one = limitOf(fieldIn(unquoted, 'remaining'), fieldIn(unquoted, 'reset'), nowMs)
  return [one, ...unquoted.split(',').map(policy => limitOf(fieldIn(policy, 'r'), fieldIn(policy, 't'), nowMs))]
}

const fieldIn = (text: string, name: string): string | undefined =>
  new RegExp(`(?:^|[,;])\\s*${name}=([^,;\\s]+)`).exec(text)?.[1]

/** What stands there twice is no number any more, so it does not count. */
export const textOf = (value: AnswerHeaders[string]): string | undefined =>
  Array.isArray(value) ? value.join(', ') : (value as string | undefined)

const NUMBER = /^\d{1,15}(\.\d+)?$/
/** Larger numbers cannot be seconds from now, they are instants: seconds, or milliseconds, since the Unix epoch. */
const INSTANT_FROM = 1e9
const INSTANT_MS_FROM = 1e12

function limitOf(remaining: string | undefined, reset: string | undefined, nowMs: number): Limit | undefined {
  if (remaining === undefined || reset === undefined || !NUMBER.test(remaining) || !NUMBER.test(reset)) return undefined
  const number = Number(reset)
  const instantMs = number >= INSTANT_MS_FROM ? number : number * 1_000
  return { remaining: Number(remaining), resetMs: number >= INSTANT_FROM ? instantMs - nowMs : instantMs }
}
