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

/** Every cycle asked from the marker before its base, and so did every request. @returns the cycles */
export async function expectAskedFromMarkers(pipeline: Pipeline, partner: string): Promise<CycleLife[]> {
  const requests = [...pipeline.partner(partner).requests] // of cycles that are told of by now
  const lives = await cycleLives(pipeline, partner)
  const markers = await pipeline.view.markers(partner)
  const reports = lives.flatMap(({ told }) => told)
  expect(reports.map(({ since }) => since)).toEqual(
    reports.map(({ base }) => (base < 1 ? null : markers[base - 1]!.marker.since)),
  )
  const asked = new Set(reports.map(({ since }) => (since === null ? undefined : sinceText(since))))
  const sent = requests.map(({ feed, query }) => (feed === 'deletions' ? query.since : query.updated_since))
  expect(sent.filter(since => !asked.has(since))).toEqual([])
  return lives
}

/**
 * What must hold of a partner's cycles though sources come and go: ids grow; each began once, before all else that is told
 * of it, and ended once, but for a last one that still runs; a polled one was closed once at most, another one never; and
 * all asked from where they should. @returns the cycles
 */
export async function expectSoundLives(pipeline: Pipeline, partner: string): Promise<CycleLife[]> {
  const lives = await expectAskedFromMarkers(pipeline, partner)
  const ids = lives.map(({ cycle }) => cycle)
  expect(ids, `cycle ids of ${partner} grow`).toEqual(ids.toSorted((a, b) => a - b))
  const unsound = lives.filter(({ told, end }, index) => {
    const outcomes = told.map(({ outcome }) => outcome)
    const count = (of: Iterable<string>) => outcomes.filter(outcome => new Set(of).has(outcome)).length
    const isRunning = end === undefined && index === lives.length - 1
    const isSound =
      outcomes[0] === 'started' &&
      count(['started']) === 1 &&
      count(ENDS_POLL) === (isRunning ? 0 : 1) &&
      count(CLOSES) <= (end?.outcome === 'polled' ? 1 : 0)
    return !isSound
  })
  expect(unsound.map(({ cycle, told }) => [cycle, ...told.map(({ outcome }) => outcome)])).toEqual([])
  return lives
}
