import { describe, expect, test } from 'vitest'
import {
  type CheckpointFacts,
  type CheckpointMemory,
  type CheckpointStep,
  checkpointStep,
  notedEnd,
  type Progress,
} from '../../../connectors/cycle-checkpoint/decision.ts'
import { type CycleReport, NO_BASE, sampleCycleReport } from '../../../schemas/records/cycle-report.ts'

/** A cycle that started from offset 5 and sent properties up to offset 100 and deletions up to 10. */
const REPORT: CycleReport = { ...sampleCycleReport, base: 5, properties_offset: 100, deletions_offset: 10 }
const at = (committed: number | undefined, high: number, low = 0): Progress => ({ committed, low, high })
/** Everything is done, but nothing is noted yet. */
const DONE: CheckpointFacts = {
  validator: at(100, 100),
  catalogDeletions: at(10, 10),
  catalogListings: [at(70, 70), at(20, 20), at(10, 10)],
  current: 5,
}
const NOTED: CheckpointMemory = { noted: [70, 20, 10] }
const WAIT_VALIDATOR: CheckpointStep = { kind: 'wait', on: 'validator' }
const WAIT_CATALOG: CheckpointStep = { kind: 'wait', on: 'catalog' }
const NOTE: CheckpointStep = { kind: 'note' }
const MARK: CheckpointStep = { kind: 'mark' }
const SUPERSEDED: CheckpointStep = { kind: 'superseded' }
const lost = (topic: Extract<CheckpointStep, { kind: 'lost' }>['topic']): CheckpointStep => ({ kind: 'lost', topic })

describe('until the validator is past the manifest (design section 3.7 a)', () => {
  test.each<{ name: string; validator: Progress; step: CheckpointStep }>([
    { name: 'it has not begun', validator: at(undefined, 100), step: WAIT_VALIDATOR },
    { name: 'it is one record short', validator: at(99, 100), step: WAIT_VALIDATOR },
    { name: 'it is there', validator: at(100, 100), step: NOTE },
    { name: 'it is further, with another partner’s records', validator: at(101, 150), step: NOTE },
    { name: 'old records have expired, but none that it needs', validator: at(60, 100, 60), step: WAIT_VALIDATOR },
    {
      name: 'a record that it has not read has expired (fault 37)',
      validator: at(59, 100, 60),
      step: lost('properties.raw'),
    },
    { name: 'all of them have expired unread', validator: at(0, 100, 100), step: lost('properties.raw') },
    { name: 'it has read them all before they expired', validator: at(100, 100, 100), step: NOTE },
    {
      name: 'the topic was made anew and is shorter (fault 38)',
      validator: at(undefined, 99),
      step: lost('properties.raw'),
    },
    { name: 'made anew, with an old commit that looks far', validator: at(100, 40), step: lost('properties.raw') },
    { name: 'without a commit it starts at what is there', validator: at(undefined, 100, 99), step: WAIT_VALIDATOR },
    {
      name: 'but the last record of the cycle is not there',
      validator: at(undefined, 100, 100),
      step: lost('properties.raw'),
    },
    { name: 'nor would later ones make up for it', validator: at(undefined, 180, 140), step: lost('properties.raw') },
  ])('$name', ({ validator, step }) => {
    expect(checkpointStep(REPORT, { ...DONE, validator }, {})).toEqual(step)
  })

  test('a cycle without properties does not wait for the validator', () => {
    const report = { ...REPORT, properties_offset: null }
    expect(checkpointStep(report, { ...DONE, validator: at(undefined, 0) }, {})).toEqual(NOTE)
  })

  test('the ends are noted once', () => {
    expect(checkpointStep(REPORT, DONE, NOTED)).toEqual(MARK)
  })
})

describe('until the catalog is past what was noted, and past the deletions (b)', () => {
  test.each<{ name: string; facts: Partial<CheckpointFacts>; step: CheckpointStep }>([
    { name: 'all is there', facts: {}, step: MARK },
    { name: 'the catalog is further', facts: { catalogListings: [at(80, 90), at(21, 21), at(11, 30)] }, step: MARK },
    {
      name: 'one accepted listing is missing',
      facts: { catalogListings: [at(69, 70), at(20, 20), at(10, 10)] },
      step: WAIT_CATALOG,
    },
    {
      name: 'one draft is missing',
      facts: { catalogListings: [at(70, 70), at(19, 20), at(10, 10)] },
      step: WAIT_CATALOG,
    },
    {
      name: 'one rejection is missing (A3)',
      facts: { catalogListings: [at(70, 70), at(20, 20), at(9, 10)] },
      step: WAIT_CATALOG,
    },
    {
      name: 'it has not begun with drafts',
      facts: { catalogListings: [at(70, 70), at(undefined, 20), at(10, 10)] },
      step: WAIT_CATALOG,
    },
    {
      name: 'drafts expired unread',
      facts: { catalogListings: [at(70, 70), at(3, 20, 4), at(10, 10)] },
      step: lost('listings'),
    },
    {
      name: 'a listings topic was made anew',
      facts: { catalogListings: [at(70, 70), at(20, 20), at(undefined, 9)] },
      step: lost('listings'),
    },
    { name: 'one deletion is missing', facts: { catalogDeletions: at(9, 10) }, step: WAIT_CATALOG },
    { name: 'it has not begun with deletions', facts: { catalogDeletions: at(undefined, 10) }, step: WAIT_CATALOG },
    { name: 'deletions expired unread', facts: { catalogDeletions: at(3, 10, 4) }, step: lost('deletions.raw') },
    {
      name: 'the deletions topic was made anew',
      facts: { catalogDeletions: at(undefined, 0) },
      step: lost('deletions.raw'),
    },
  ])('$name', ({ facts, step }) => {
    expect(checkpointStep(REPORT, { ...DONE, ...facts }, NOTED)).toEqual(step)
  })

  test('a cycle without deletions does not wait for them', () => {
    const report = { ...REPORT, deletions_offset: null }
    expect(checkpointStep(report, { ...DONE, catalogDeletions: at(undefined, 0) }, NOTED)).toEqual(MARK)
  })

  test('a cycle of nothing at all is marked at once: its `since` moves on (contract 1, empty result)', () => {
    const report = { ...REPORT, properties_offset: null, deletions_offset: null }
    const nothing = { ...DONE, validator: at(undefined, 0), catalogDeletions: at(undefined, 0) }
    const untouched = { ...nothing, catalogListings: [at(undefined, 0), at(undefined, 0), at(undefined, 0)] }
    expect(checkpointStep(report, untouched, { noted: [0, 0, 0] })).toEqual(MARK)
  })

  test('lost deletions are told before anything is waited for', () => {
    const facts = { ...DONE, validator: at(0, 100), catalogDeletions: at(3, 10, 4) }
    expect(checkpointStep(REPORT, facts, {})).toEqual(lost('deletions.raw'))
  })

  test('late deletions do not keep the ends from being noted', () => {
    expect(checkpointStep(REPORT, { ...DONE, catalogDeletions: at(undefined, 10) }, {})).toEqual(NOTE)
  })
})

describe('notedEnd', () => {
  test.each([
    { name: 'an empty topic', low: 0, high: 0, noted: 0 },
    { name: 'a topic with records', low: 0, high: 20, noted: 20 },
    { name: 'a topic with one record left', low: 19, high: 20, noted: 20 },
    {
      name: 'a topic whose records have all expired: nothing to read, so nobody would ever commit there',
      low: 20,
      high: 20,
      noted: 0,
    },
  ])('$name', ({ low, high, noted }) => {
    expect(notedEnd({ low, high })).toBe(noted)
  })

  test('a group that lost its commits does not wait for ever on a topic that is empty by now', () => {
    const expired = { ...DONE, catalogListings: [at(70, 70), at(undefined, 20, 20), at(10, 10)] }
    expect(checkpointStep(REPORT, expired, { noted: expired.catalogListings.map(notedEnd) })).toEqual(MARK)
  })
})

describe('an operator moved `since` (fault 41): base <= current < marker + 1, or the cycle is superseded', () => {
  const marked: CheckpointMemory = { ...NOTED, markerOffset: 8 }
  test.each<{ name: string; current: number; memory: CheckpointMemory; step: CheckpointStep }>([
    { name: 'not moved', current: 5, memory: NOTED, step: MARK },
    { name: 'moved back by one', current: 4, memory: NOTED, step: SUPERSEDED },
    { name: 'moved to the start', current: 0, memory: NOTED, step: SUPERSEDED },
    { name: 'moved back before anything was noted', current: 4, memory: {}, step: SUPERSEDED },
    { name: 'its commit is gone: the next cycle tells what to do', current: NO_BASE, memory: NOTED, step: SUPERSEDED },
    { name: 'moved on, by a cycle polled from the same place', current: 7, memory: NOTED, step: MARK },
    {
      name: 'the marker stands, nothing is committed',
      current: 5,
      memory: marked,
      step: { kind: 'commit', offset: 9 },
    },
    {
      name: 'the marker stands, an older cycle is committed',
      current: 8,
      memory: marked,
      step: { kind: 'commit', offset: 9 },
    },
    { name: 'the marker is committed', current: 9, memory: marked, step: { kind: 'done' } },
    { name: 'a newer marker is committed: never back', current: 12, memory: marked, step: { kind: 'done' } },
    { name: 'the marker stands, then an operator moved back', current: 4, memory: marked, step: SUPERSEDED },
    { name: 'the marker stands, the commit is gone', current: NO_BASE, memory: marked, step: SUPERSEDED },
  ])('$name', ({ current, memory, step }) => {
    expect(checkpointStep(REPORT, { ...DONE, current }, memory)).toEqual(step)
  })

  test.each([NO_BASE, 0])('a first cycle has nothing before it that one could move back to: current %d', current => {
    const first = { ...REPORT, base: NO_BASE }
    expect(checkpointStep(first, { ...DONE, current }, NOTED)).toEqual(MARK)
    expect(checkpointStep(first, { ...DONE, current }, { markerOffset: 0 })).toEqual({ kind: 'commit', offset: 1 })
  })

  test('a superseded cycle is closed, whatever else is missing', () => {
    const facts = { ...DONE, current: 4, validator: at(undefined, 0), catalogDeletions: at(0, 10, 4) }
    expect(checkpointStep(REPORT, facts, {})).toEqual(SUPERSEDED)
  })

  test('a marker that stands is committed without asking the stages again', () => {
    const facts = { ...DONE, validator: at(0, 100), catalogDeletions: at(0, 10, 4) }
    expect(checkpointStep(REPORT, facts, marked)).toEqual({ kind: 'commit', offset: 9 })
  })
})
