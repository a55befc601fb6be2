import type { PropertyAsSent } from '../property.ts'
import type { Message, Rule } from './rule.ts'
import { asType, echo } from './wording.ts'

/** Clocks and time zones of CRMs may be off by a day, not by more. */
export const FUTURE_TOLERANCE_MS = 86_400_000

/** A stamp of local time, as CRMs write it: right but for the missing zone. */
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

export const DATE_RULES: readonly Rule[] = [
  {
    // "Now" is when the record was received, so that a replay gives the same verdict.
    code: 'updated_at_invalid',
    severity: 'DRAFT',
    field: '/updated_at',
    source: 'contract 2.1, assumption A2',
    broken: ({ updated_at, updatedAtMs, receivedAtMs }) =>
      updatedAtMs === undefined
        ? updated_at !== undefined && updated_at !== null
        : updatedAtMs > receivedAtMs + FUTURE_TOLERANCE_MS,
    message: property => dateHint(property),
    bad: '2026-11-20 12:30:00',
    good: '2026-11-20T12:30:00-06:00',
  },
]

function dateHint({ updated_at, updatedAtMs }: PropertyAsSent): Message {
  if (updatedAtMs !== undefined) {
    return {
      es: `updated_at es ${echo(updated_at)}, una fecha en el futuro. Revise el reloj y la zona horaria del CRM.`,
      en: `updated_at is ${echo(updated_at)}, a date in the future. Check the CRM’s clock and time zone.`,
    }
  }
  if (typeof updated_at !== 'string') {
    const type = asType(updated_at)
    return {
      es: `updated_at ${type.es}. Envíe un texto con fecha, hora y zona, por ejemplo 2026-11-20T18:30:00Z.`,
      en: `updated_at ${type.en}. Send a text with date, time and zone, for example 2026-11-20T18:30:00Z.`,
    }
  }
  return WITHOUT_ZONE.test(updated_at)
    ? {
        es: `updated_at es ${echo(updated_at)}: le falta la zona horaria o la "T". Envíelo así: 2026-11-20T12:30:00-06:00.`,
        en: `updated_at is ${echo(updated_at)}: it lacks its time zone or the "T". Send it like this: 2026-11-20T12:30:00-06:00.`,
      }
    : {
        es: `updated_at es ${echo(updated_at)}, que no es una fecha ISO 8601 completa. Envíela así: 2026-11-20T18:30:00Z.`,
        en: `updated_at is ${echo(updated_at)}, which is no complete ISO 8601 date. Send it like this: 2026-11-20T18:30:00Z.`,
      }
}
