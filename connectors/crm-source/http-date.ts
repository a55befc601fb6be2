/**
 * `Thu, 15 Jan 2026 12:00:00 GMT`. `Date.parse` is too kind: it takes `1` for the year 2001 and 31 February for 3 March.
 * The two forms that have been obsolete since 1999 count as no date.
 *
 * @returns milliseconds since the Unix epoch; undefined for anything else
 * @source  RFC 9110 section 5.6.7, IMF-fixdate
 */
export function httpDateMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined
}
