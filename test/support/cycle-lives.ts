import { expect } from 'vitest'
import { sinceText } from '../../schemas/instant.ts'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import type { Pipeline } from './pipeline.ts'

const ENDS_POLL = new Set(['polled', 'failed', 'abandoned'])
const CLOSES = new Set(['checkpointed', 'superseded', 'lost'])

/** A cycle as `cycle-reports` tells of it. */
export interface CycleLife {
  readonly cycle: number
  readonly told: readonly CycleReport[]
  /** How the source's own part of it ended; undefined while it runs. */
  readonly end: CycleReport | undefined
}

/** All cycles of a partner in the order in which they were first told of. */
export async function cycleLives({ view }: Pipeline, partner: string): Promise<CycleLife[]> {
  const reports = await view.records('cycle-reports', partner)
  return [...Map.groupBy(reports, ({ cycle }) => cycle)].map(([cycle, told]) => ({
    cycle,
    told,
    end: told.find(({ outcome }) => ENDS_POLL.has(outcome)),
  }))
}

/**
 * What must hold of a partner's cycles whatever became of the sources: ids grow; each began once, before all else that
 * is told of it, and ended once; a polled one was closed once at most, another one never; each asked from the marker
 * before its base, and so did every request.
 */
export async function expectSoundLives(pipeline: Pipeline, partner: string): Promise<CycleLife[]> {
  const requests = [...pipeline.partner(partner).requests] // of cycles that are told of by now
  const lives = await cycleLives(pipeline, partner)
  const markers = await pipeline.view.markers(partner)
  const ids = lives.map(({ cycle }) => cycle)
  expect(ids, `cycle ids of ${partner} grow`).toEqual([...new Set(ids)].sort((a, b) => a - b))
  for (const { cycle, told, end } of lives) {
    const outcomes = told.map(({ outcome }) => outcome)
    const isPolled = end?.outcome === 'polled'
    const closings = outcomes.filter(outcome => CLOSES.has(outcome))
    const isSound =
      outcomes[0] === 'started' &&
      outcomes.filter(outcome => outcome === 'started').length === 1 &&
      outcomes.filter(outcome => ENDS_POLL.has(outcome)).length === (cycle === ids.at(-1) && !end ? 0 : 1) &&
      closings.length <= (isPolled ? 1 : 0)
    expect(isSound, `a sound life of ${partner}'s cycle ${cycle}: ${outcomes}`).toBe(true)
    for (const { base, since } of told) expect(since).toBe(base < 1 ? null : markers[base - 1]!.marker.since)
  }
  const asked = new Set(lives.map(({ told }) => (told[0]!.since === null ? undefined : sinceText(told[0]!.since))))
  const others = requests.filter(
    ({ feed, query }) => !asked.has(feed === 'deletions' ? query.since : query.updated_since),
  )
  expect(others).toEqual([])
  return lives
}
