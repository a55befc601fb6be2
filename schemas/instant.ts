/**
 * Instants on the wire (contract 2.1, RFC 3339). `Date.parse` is too kind: it reads zone-less text as local time and
 * rolls 30 February over into March.
 */
const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/** @returns milliseconds since the Unix epoch, or undefined for anything but a strict RFC 3339 date-time */
export function instantOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const match = RFC_3339.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHours = Number(match[8] ?? 0)
  const offsetMinutes = Number(match[9] ?? 0)
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth) return undefined
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined
  const instantMs = Date.parse(text.toUpperCase())
  return Number.isNaN(instantMs) ? undefined : instantMs
}

/** `since` and `updated_since` as sent: whole seconds, UTC, `Z`; an offset's `+` would decode to a space in a query. */
export function sinceText(sinceMs: number): string {
  return `${new Date(Math.floor(sinceMs / 1000) * 1000).toISOString().slice(0, 19)}Z`
}
