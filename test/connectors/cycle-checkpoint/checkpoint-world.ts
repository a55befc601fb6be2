import pino from 'pino'
import type { Progress } from '../../../connectors/cycle-checkpoint/decision.ts'
import { type OpenCycle, OpenCycles } from '../../../connectors/cycle-checkpoint/open-cycles.ts'
import { advanceCycles, type CheckpointPorts } from '../../../connectors/cycle-checkpoint/stage.ts'
import { type CycleReport, NO_BASE, sampleCycleReport } from '../../../schemas/records/cycle-report.ts'

/** Where the validator put a record of `properties.raw`. */
interface Place {
  readonly topic: number
  readonly offset: number
}

class Crash extends Error {}

const PARTNERS = ['acme', 'beta']

/**
 * Kafka as a checkpoint sees it, in memory: one partition that two partners share, a validator and a catalog that move
 * when they are told to, and operators. A commit that would lose data or undo a reset is an error.
 */
export class CheckpointWorld {
  /** The listings topic that each raw record is going to be put into. */
  readonly #raw: number[] = []
  readonly #validated: Place[] = []
  readonly #listings = [0, 0, 0]
  readonly #applied: number[] = [0, 0, 0]
  #deletions = 0
  #appliedDeletions = 0
  readonly #reports: CycleReport[] = []
  #committedReports = 0
  readonly #markers = new Map<string, number[]>()
  readonly #since = new Map<string, number>()
  /** Cycles that an operator's reset overtook: they may commit no more. */
  readonly #overtaken = new Set<number>()
  #wrong: string | undefined
  #cycle = 0
  #open = new OpenCycles(PARTNERS)
  /** Partners whose `since` cannot be committed, for whatever reason. */
  readonly refused = new Set<string>()
  /** Calls to Kafka that still go through before the process dies. */
  #callsLeft = Number.POSITIVE_INFINITY

  poll(partner: string, topics: readonly number[], deletions: number): void {
    this.#raw.push(...topics)
    this.#deletions += deletions
    this.#cycle += 1
    this.#report({
      ...sampleCycleReport,
      partner,
      cycle: this.#cycle,
      outcome: 'polled',
      base: this.sinceOf(partner),
      properties_offset: topics.length === 0 ? null : this.#raw.length,
      deletions_offset: deletions === 0 ? null : this.#deletions,
    })
  }

  validate(records: number): void {
    for (const topic of this.#raw.slice(this.#validated.length, this.#validated.length + records)) {
      this.#validated.push({ topic, offset: this.#listings[topic]! })
      this.#listings[topic]! += 1
    }
  }

  apply(topic: number, records: number): void {
    this.#applied[topic] = Math.min(this.#applied[topic]! + records, this.#listings[topic]!)
  }

  applyDeletions(records: number): void {
    this.#appliedDeletions = Math.min(this.#appliedDeletions + records, this.#deletions)
  }

  catchUp(): void {
    this.validate(this.#raw.length)
    for (const topic of this.#listings.keys()) this.apply(topic, this.#raw.length)
    this.applyDeletions(this.#deletions)
  }

  /**
   * `--shift-by -back`, where that is a move at all. It overtakes what was closed before and what started from a later
   * place. An open cycle that started from the very place asks for the same again, so it may go on: nobody can tell
   * whether it was committed when it died before its closing report.
   */
  reset(partner: string, back: number): void {
    const to = Math.max(0, this.sinceOf(partner) - back)
    if (to >= this.sinceOf(partner)) return
    this.#since.set(partner, to)
    const ofPartner = this.#reports.filter(report => report.partner === partner)
    for (const { outcome, cycle, base } of ofPartner) if (outcome !== 'polled' || base > to) this.#overtaken.add(cycle)
  }

  /** @returns whether anything moved; throws when something was committed that should not have been */
  async look(): Promise<boolean> {
    const moved = await advanceCycles(this.#open, this.#ports)
    if (this.#wrong !== undefined) throw new Error(this.#wrong)
    this.#call()
    for (const { offset } of this.#open.takeCommits()) this.#committedReports = offset
    return moved
  }

  restart(): void {
    this.#callsLeft = Number.POSITIVE_INFINITY
    this.#open = new OpenCycles(PARTNERS)
    for (let offset = this.#committedReports; offset < this.#reports.length; offset++) {
      this.#open.read(0, offset, this.#reports[offset])
    }
  }

  /** Dies in the middle of a look, and starts again. */
  async crashAfter(calls: number): Promise<void> {
    this.#callsLeft = calls
    try {
      await this.look()
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
    this.restart()
  }

  sinceOf(partner: string): number {
    return this.#since.get(partner) ?? NO_BASE
  }

  markersOf(partner: string): readonly number[] {
    return this.#markers.get(partner) ?? []
  }

  openReports(): readonly OpenCycle[] {
    return this.#open.all
  }

  /** Behind the newest marker of a cycle that no reset overtook; else wherever the reset put it. */
  expectedSinceOf(partner: string): number {
    const closed = this.#reports.filter(report => report.partner === partner && report.outcome === 'checkpointed')
    const counted = closed.filter(({ cycle }) => !this.#overtaken.has(cycle))
    if (counted.length === 0) return this.sinceOf(partner)
    return Math.max(...counted.map(({ cycle }) => this.markersOf(partner).indexOf(cycle))) + 1
  }

  #report(report: CycleReport): void {
    this.#reports.push(report)
    this.#open.read(0, this.#reports.length - 1, report)
  }

  /** Every call to Kafka may be the last one. */
  #call(): void {
    if (this.#callsLeft <= 0) throw new Crash()
    this.#callsLeft -= 1
  }

  get #ports(): CheckpointPorts {
    return {
      log: pino({ level: 'silent' }),
      facts: async cycles => {
        this.#call()
        return new Map(cycles.map(cycle => [cycle, this.#factsOf(cycle)]))
      },
      listingsEnds: async () => {
        this.#call()
        return [...this.#listings]
      },
      findMarker: async ({ partner, cycle }) => {
        this.#call()
        const offset = this.markersOf(partner).indexOf(cycle)
        return offset === -1 ? undefined : offset
      },
      appendMarker: async ({ partner, cycle }) => {
        this.#call()
        this.#markers.set(partner, [...this.markersOf(partner), cycle])
        return this.markersOf(partner).length - 1
      },
      commitSince: async ({ report }, offset) => {
        this.#call()
        if (this.refused.has(report.partner)) throw new Error('not authorized')
        this.#checkCommit(report, offset)
        this.#since.set(report.partner, offset)
      },
      closeReport: async ({ report }, outcome) => {
        this.#call()
        this.#report({ ...report, outcome })
      },
    }
  }

  #factsOf({ report: { partner } }: OpenCycle) {
    const progress = (committed: number, high: number): Progress => ({ committed, low: 0, high })
    return {
      validator: progress(this.#validated.length, this.#raw.length),
      catalogDeletions: progress(this.#appliedDeletions, this.#deletions),
      catalogListings: this.#applied.map((applied, topic) => progress(applied, this.#listings[topic]!)),
      current: this.sinceOf(partner),
    }
  }

  #checkCommit({ partner, cycle, properties_offset, deletions_offset }: CycleReport, offset: number): void {
    const needed = this.#validated.slice(0, properties_offset ?? 0)
    const isApplied = needed.every(place => place.offset < this.#applied[place.topic]!)
    const wrongs = {
      'properties are not validated yet': needed.length < (properties_offset ?? 0),
      'listings are not in the catalog yet': !isApplied,
      'deletions are not in the catalog yet': this.#appliedDeletions < (deletions_offset ?? 0),
      'it is not the place behind its marker': this.markersOf(partner)[offset - 1] !== cycle,
      'since would not move on': offset <= this.sinceOf(partner),
      'an operator moved back since it was polled': this.#overtaken.has(cycle),
    }
    const wrong = Object.entries(wrongs).find(([, isWrong]) => isWrong)
    if (wrong !== undefined) this.#wrong = `commit of ${partner}'s cycle ${cycle}: ${wrong[0]}`
  }
}
