import type { RoleEvent } from '../role-process.ts'

/** How one cycle went, as it is shown: one row of the table, one entry of `--json`. */
export interface CycleSummary {
  readonly partner: string
  readonly cycle: number
  readonly outcome: 'checkpointed' | 'failed' | 'superseded' | 'lost'
  readonly polled: number
  readonly accepted: number
  readonly draft: number
  readonly rejected: number
  readonly deactivated: number
  /** What the next cycle asks from, `YYYY-MM-DDTHH:MM:SSZ`; null where nothing moved. */
  readonly since: string | null
  /** `CODE: sentence`; null where nothing failed. */
  readonly error: string | null
  readonly seconds: number
}

/** A cycle that the roles have spoken of and that is not closed yet. */
interface RunningCycle {
  readonly startedMs: number
  properties: number
}

export type CycleNews =
  | {
      readonly kind: 'progress'
      readonly partner: string
      readonly properties: number
      readonly total: number | undefined
    }
  | { readonly kind: 'polled'; readonly partner: string; readonly properties: number }
  | {
      readonly kind: 'ended'
      readonly partner: string
      readonly cycle: number
      readonly outcome: CycleSummary['outcome']
      readonly properties: number
      readonly sinceMs: number | null
      readonly error: string | null
      readonly seconds: number
    }

const CLOSING = { cycle_checkpointed: 'checkpointed', cycle_superseded: 'superseded', cycle_lost: 'lost' } as const

/** Puts what the roles' logs say together: polling is the source's word, closing is the checkpoint's. */
export class CycleWatch {
  readonly #running = new Map<string, RunningCycle>()

  read(event: RoleEvent, nowMs: number): CycleNews | undefined {
    const { partner, cycle } = event as { partner?: string; cycle?: number }
    if (partner === undefined || cycle === undefined) return undefined
    const place = `${partner}/${cycle}`
    const properties = Number(event.properties ?? 0)
    switch (event.event) {
      case 'cycle_started':
        this.#running.set(place, { startedMs: nowMs, properties: 0 })
        return { kind: 'progress', partner, properties: 0, total: undefined }
      case 'cycle_progress':
        return { kind: 'progress', partner, properties, total: event.total as number | undefined }
      case 'cycle_polled': {
        const running = this.#running.get(place)
        if (running !== undefined) running.properties = properties
        return { kind: 'polled', partner, properties }
      }
      case 'cycle_failed':
        return this.#ended(
          place,
          { partner, cycle, outcome: 'failed', sinceMs: null, error: `${event.code}: ${event.error}` },
          nowMs,
          properties,
        )
      case 'cycle_checkpointed':
      case 'cycle_superseded':
      case 'cycle_lost': {
        const outcome = CLOSING[event.event]
        const sinceMs = outcome === 'checkpointed' ? (event.since as number) : null
        return this.#ended(place, { partner, cycle, outcome, sinceMs, error: null }, nowMs)
      }
      default:
        return undefined
    }
  }

  #ended(
    place: string,
    end: Pick<Extract<CycleNews, { kind: 'ended' }>, 'partner' | 'cycle' | 'outcome' | 'sinceMs' | 'error'>,
    nowMs: number,
    properties?: number,
  ): CycleNews {
    const running = this.#running.get(place)
    this.#running.delete(place)
    const seconds = (nowMs - (running?.startedMs ?? nowMs)) / 1_000
    return { kind: 'ended', ...end, properties: properties ?? running?.properties ?? 0, seconds }
  }
}
