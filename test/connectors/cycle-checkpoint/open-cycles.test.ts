import { describe, expect, test } from 'vitest'
import { OpenCycles } from '../../../connectors/cycle-checkpoint/open-cycles.ts'
import { type CycleOutcome, sampleCycleReport } from '../../../schemas/records/cycle-report.ts'

const report = (cycle: number, outcome: CycleOutcome = 'polled', partner = 'acme') => ({
  ...sampleCycleReport,
  ...{ cycle, outcome, partner },
})
const PARTNERS = ['acme', 'beta', 'slow']
const opened = (cycles: OpenCycles): number[] => cycles.all.map(({ report: { cycle } }) => cycle)

/** Reads one partition from offset 0 on. */
function reading(...reports: readonly (ReturnType<typeof report> | undefined)[]): OpenCycles {
  const cycles = new OpenCycles(PARTNERS)
  for (const [offset, each] of reports.entries()) cycles.read(0, offset, each)
  return cycles
}

describe('what is open', () => {
  test('a polled cycle, with where its report stands and nothing known of it yet', () => {
    expect(reading(report(1)).all).toEqual([{ report: report(1), partition: 0, offset: 0, memory: {} }])
  })

  test.each<CycleOutcome>(['failed', 'checkpointed', 'superseded', 'lost'])('nothing after %s alone', outcome => {
    expect(reading(report(1, outcome)).all).toEqual([])
  })

  test('nothing of a record that cannot be read', () => {
    expect(reading(undefined).all).toEqual([])
  })

  test('nothing of a partner that the partner file does not name: its topic may be gone, and nobody waits for it (I9)', () => {
    const cycles = reading(report(1, 'polled', 'former'))
    expect(cycles.all).toEqual([])
    expect(cycles.takeCommits()).toEqual([{ partition: 0, offset: 1 }])
  })

  test('several cycles, the oldest report first', () => {
    const cycles = new OpenCycles(PARTNERS)
    cycles.read(1, 9, report(3))
    cycles.read(0, 4, report(1))
    cycles.read(0, 7, report(2))
    expect(opened(cycles)).toEqual([1, 2, 3])
  })

  test('the same report read again is the same cycle: what is known of it stays', () => {
    const cycles = reading(report(1))
    cycles.all[0]!.memory = { markerOffset: 4 }
    cycles.read(0, 0, report(1))
    expect(cycles.all).toHaveLength(1)
    expect(cycles.all[0]!.memory).toEqual({ markerOffset: 4 })
  })

  test('not a closed one', () => {
    const cycles = reading(report(1), report(2))
    cycles.close(cycles.all[0]!)
    expect(opened(cycles)).toEqual([2])
  })
})

describe('a restart reads closed cycles again, as long as an older one holds the committed offset back', () => {
  test.each<CycleOutcome>(['checkpointed', 'superseded', 'lost'])('%s closes it again', outcome => {
    expect(opened(reading(report(1, 'polled', 'slow'), report(2), report(2, outcome)))).toEqual([1])
  })

  test.each<{ name: string; closing: ReturnType<typeof report> }>([
    { name: 'another cycle', closing: report(3, 'checkpointed') },
    { name: 'another partner’s cycle of that id', closing: report(2, 'checkpointed', 'beta') },
    { name: 'the source’s word', closing: report(2, 'failed') },
  ])('$name does not', ({ closing }) => {
    expect(opened(reading(report(2), closing))).toEqual([2])
  })

  test('of two partners’ cycles of one id each closes its own', () => {
    const cycles = reading(report(2), report(2, 'polled', 'beta'), report(2, 'lost', 'beta'))
    expect(cycles.all.map(({ report: { partner } }) => partner)).toEqual(['acme'])
  })
})

describe('offsets to commit', () => {
  test('nothing before anything is read', () => {
    expect(new OpenCycles(PARTNERS).takeCommits()).toEqual([])
  })

  test.each<{ name: string; reports: (ReturnType<typeof report> | undefined)[]; offset: number }>([
    { name: 'behind everything when nothing is open', reports: [report(1, 'failed'), undefined], offset: 2 },
    {
      name: 'never past an open cycle’s report',
      reports: [report(1, 'failed'), report(2), report(3, 'failed')],
      offset: 1,
    },
    { name: 'an open cycle at the very start', reports: [report(1)], offset: 0 },
    { name: 'the oldest open one counts', reports: [report(1, 'failed'), report(2), report(3)], offset: 1 },
    { name: 'past a cycle that was closed again', reports: [report(1), report(1, 'checkpointed')], offset: 2 },
  ])('$name', ({ reports, offset }) => {
    expect(reading(...reports).takeCommits()).toEqual([{ partition: 0, offset }])
  })

  test('each is taken once, and again when it has moved', () => {
    const cycles = reading(report(1), report(2))
    expect(cycles.takeCommits()).toEqual([{ partition: 0, offset: 0 }])
    expect(cycles.takeCommits()).toEqual([])
    cycles.close(cycles.all[1]!)
    expect(cycles.takeCommits()).toEqual([])
    cycles.close(cycles.all[0]!)
    expect(cycles.takeCommits()).toEqual([{ partition: 0, offset: 2 }])
    expect(cycles.takeCommits()).toEqual([])
  })

  test('partitions are told apart: an open cycle holds back its own alone', () => {
    const cycles = new OpenCycles(PARTNERS)
    cycles.read(0, 10, report(1))
    cycles.read(1, 20, report(2, 'failed'))
    expect(cycles.takeCommits()).toEqual([
      { partition: 0, offset: 10 },
      { partition: 1, offset: 21 },
    ])
  })

  test('reading older records again moves nothing back', () => {
    const cycles = reading(report(1, 'failed'), report(2, 'failed'))
    cycles.takeCommits()
    cycles.read(0, 0, report(1, 'failed'))
    expect(cycles.takeCommits()).toEqual([])
  })
})

describe('a rebalance', () => {
  const twoPartitions = (): OpenCycles => {
    const cycles = new OpenCycles(PARTNERS)
    cycles.read(0, 0, report(1))
    cycles.read(1, 0, report(2))
    return cycles
  }

  test('forgets what another instance owns from now on, and commits nothing for it', () => {
    const cycles = twoPartitions()
    cycles.keepOnly([1])
    expect(opened(cycles)).toEqual([2])
    expect(cycles.takeCommits()).toEqual([{ partition: 1, offset: 0 }])
  })

  test('keeps what stays, with what is known of it', () => {
    const cycles = twoPartitions()
    cycles.all[1]!.memory = { noted: [1] }
    cycles.keepOnly([0, 1])
    expect(cycles.all.map(({ memory }) => memory)).toEqual([{}, { noted: [1] }])
  })

  test('may take everything', () => {
    const cycles = twoPartitions()
    cycles.keepOnly([])
    expect([cycles.all, cycles.takeCommits()]).toEqual([[], []])
  })

  test('a partition that comes back is read, and committed, anew', () => {
    const cycles = twoPartitions()
    cycles.takeCommits()
    cycles.keepOnly([1])
    cycles.keepOnly([0, 1])
    cycles.read(0, 0, report(1))
    expect(cycles.takeCommits()).toEqual([{ partition: 0, offset: 0 }])
    expect(opened(cycles).sort()).toEqual([1, 2])
  })
})
