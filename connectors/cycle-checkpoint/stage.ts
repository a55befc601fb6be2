import type { Logger } from 'pino'
import { sentenceOf } from '../../schemas/errors.ts'
import type { CycleOutcome, CycleReport } from '../../schemas/records/cycle-report.ts'
import { type CheckpointFacts, checkpointStep } from './decision.ts'
import type { OpenCycle, OpenCycles } from './open-cycles.ts'

/** What a checkpoint does to Kafka. */
export interface CheckpointPorts {
  /** Reads once what all of these cycles need to know. */
  readonly facts: (cycles: readonly OpenCycle[]) => Promise<ReadonlyMap<OpenCycle, CheckpointFacts>>
  /** Ends of the listings topics in the cycle's partition, as they are now. */
  readonly listingsEnds: (report: CycleReport) => Promise<readonly number[]>
  /** Where the cycle's marker stands, if an earlier try wrote it. */
  readonly findMarker: (report: CycleReport) => Promise<number | undefined>
  /** @returns the marker's offset */
  readonly appendMarker: (report: CycleReport) => Promise<number>
  readonly commitSince: (cycle: OpenCycle, offset: number) => Promise<void>
  readonly closeReport: (cycle: OpenCycle, outcome: CycleOutcome) => Promise<void>
  readonly log: Logger
}

/**
 * Brings every open cycle as far as it can go now (design section 3.7). Level-triggered: it looks at what is, not at
 * what happened, so a restart at any point goes on where the last one was cut off.
 *
 * @returns whether anything moved
 */
export async function advanceCycles(cycles: OpenCycles, ports: CheckpointPorts): Promise<boolean> {
  const open = cycles.all
  const facts = await ports.facts(open)
  let moved = false
  /** Partners whose `since` may have moved in this look: their facts are old, and another cycle's commit could go back. */
  const stale = new Set<string>()
  for (const cycle of open) {
    const { partner } = cycle.report
    const known = facts.get(cycle)
    if (known === undefined || stale.has(partner)) continue
    try {
      if (await advance(cycle, known, ports)) moved = true
    } catch (error) {
      // Whatever it is, the others must not wait for it; the next look tries again.
      ports.log.warn({ event: 'cycle_stalled', partner, cycle: cycle.report.cycle, error: sentenceOf(error) })
      stale.add(partner)
    }
    if (cycle.memory !== CLOSED) continue
    cycles.close(cycle)
    stale.add(partner)
  }
  return moved
}

const CLOSED = Object.freeze({})

async function advance(cycle: OpenCycle, facts: CheckpointFacts, ports: CheckpointPorts): Promise<boolean> {
  const { report } = cycle
  const close = async (outcome: CycleOutcome, why?: string): Promise<true> => {
    await ports.closeReport(cycle, outcome)
    const fields = {
      event: `cycle_${outcome}`,
      partner: report.partner,
      cycle: report.cycle,
      since: report.next_since,
      why,
    }
    if (outcome === 'checkpointed') ports.log.info(fields)
    else ports.log.warn(fields)
    cycle.memory = CLOSED
    return true
  }
  const step = checkpointStep(report, facts, cycle.memory)
  switch (step.kind) {
    case 'wait':
      return false
    case 'note':
      cycle.memory = { noted: await ports.listingsEnds(report) }
      return true
    case 'mark': {
      const markerOffset = (await ports.findMarker(report)) ?? (await ports.appendMarker(report))
      cycle.memory = { ...cycle.memory, markerOffset }
      return true
    }
    case 'commit':
      await ports.commitSince(cycle, step.offset)
      return close('checkpointed')
    case 'done':
      return close('checkpointed')
    case 'superseded':
      return close('superseded')
    case 'lost':
      return close('lost', step.topic)
  }
}
