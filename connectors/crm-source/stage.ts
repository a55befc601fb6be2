import { PredioError, sentenceOf } from '../../schemas/errors.ts'
import { type CycleReport, NO_BASE } from '../../schemas/records/cycle-report.ts'
import type { Marker } from '../../schemas/records/marker.ts'
import { nextCycle } from '../../schemas/version.ts'
import type { Partner } from '../partners.ts'
import { answeredWish, type CommandBoard, isRunWanted, wishOf } from './command-board.ts'
import { type CycleOrder, type CyclePorts, runCycle, startedReport } from './cycle.ts'
import type { CycleBook } from './cycle-book.ts'
import { nextPollMs, paceOf, phaseOf } from './schedule.ts'
import { type CycleStart, cycleStart, type SinceFacts, startFrom } from './start.ts'

/** What a partner's loop needs of Kafka. */
export interface PartnerPorts extends CyclePorts {
  readonly book: CycleBook
  readonly board: CommandBoard
  readonly readSince: (partner: string) => Promise<SinceFacts>
  readonly readMarker: (partner: string, offset: number) => Promise<Marker | undefined>
  /** Commits the offset again, with what the marker before it says; null where nobody knows. */
  readonly commitAgain: (
    partner: string,
    offset: number,
    marker: Pick<Marker, 'since' | 'cycle'> | null,
  ) => Promise<void>
  readonly sendReport: (report: CycleReport) => Promise<void>
  /** Waits for one of the places that are polled at the same time. */
  readonly inTurn: <T>(run: () => Promise<T>) => Promise<T>
}

/** A poll that nobody confirms in this many intervals is done again from the same `since` (design section 3.8). */
const UNCONFIRMED_INTERVALS = 3
/**
 * A source that lost the partner to us by a rebalance learns of it when we do, and then says how its cycle ended. So long
 * we wait for its word before we take it for dead.
 */
const LAST_WORDS_MS = 2_000
/** Before asking Kafka again after it failed us. */
const KAFKA_PAUSE_MS = 2_000
/** Kafka forgets the offsets of an empty group after seven days, so a commit that does not move is made again daily. */
const COMMIT_AGAIN_MS = 86_400_000

/** Polls one partner, cycle after cycle, until the signal fires. One cycle in flight; whatever fails, the next one comes. */
export async function pollPartner(partner: Partner, ports: PartnerPorts, signal: AbortSignal): Promise<void> {
  const loop = new PartnerLoop(partner, ports, signal)
  while (!signal.aborted) {
    try {
      await loop.next()
    } catch (error) {
      if (signal.aborted) return
      ports.log.error({ event: 'source_stalled', partner: partner.id, error: sentenceOf(error) })
      await ports.clock.sleep(KAFKA_PAUSE_MS, signal).catch(() => {})
    }
  }
}

class PartnerLoop {
  readonly #partner: Partner
  readonly #ports: PartnerPorts
  readonly #signal: AbortSignal
  #lastCycle: number | undefined
  /** Where the clock jumped back, cycle ids run ahead of it: what is due is told by the clock alone. */
  #lastStartMs: number | undefined
  /** The wish for a cycle that was last answered; undefined until the first look. */
  #answered: number | undefined
  #committedMs: number
  #driftedBefore = 0
  #authFailures = 0

  constructor(partner: Partner, ports: PartnerPorts, signal: AbortSignal) {
    this.#partner = partner
    this.#ports = ports
    this.#signal = signal
    this.#committedMs = ports.clock.nowMs()
  }

  /** Whatever comes next: to settle what an earlier owner left, to wait, or a cycle. */
  async next(): Promise<void> {
    const { id, every } = this.#partner
    const { clock, book, board } = this.#ports
    if (await this.#settle()) return
    const command = board.of(id)
    const start = await findStart(id, this.#ports)
    this.#lastCycle = newest(newest(this.#lastCycle, start.lastCycle), book.newest(id))
    this.#answered ??= answeredWish(command, this.#lastCycle)
    const isWanted = isRunWanted(command, this.#answered)
    const dueMs = isWanted ? clock.nowMs() : this.#dueMs()
    const pausedMs = command?.paused === true && !isWanted ? every : 0
    if (dueMs > clock.nowMs() || pausedMs > 0) {
      await this.#keepCommit(start)
      this.#ports.log.debug({ event: 'partner_waits', partner: id, dueMs, paused: pausedMs > 0 })
      // An operator may reset `since` meanwhile, so it is read again when the time has come.
      await board.changed(id, command, Math.max(dueMs - clock.nowMs(), pausedMs), this.#signal)
      return
    }
    this.#answered = wishOf(command)
    await this.#cycle(start, isWanted && command?.run_full === true)
  }

  #dueMs(): number {
    const { id, every } = this.#partner
    const paceMs = paceOf(every, this.#authFailures)
    return nextPollMs(paceMs, phaseOf(id, paceMs), this.#lastStartMs ?? this.#lastCycle, this.#ports.clock.nowMs())
  }

  /** Ends the report of a cycle that was cut off, and waits for one that the checkpoint has not closed. @returns whether there was one */
  async #settle(): Promise<boolean> {
    const { id: partner, every } = this.#partner
    const { book, clock, log } = this.#ports
    const cutOff = book.cutOff(partner)
    if (cutOff !== undefined) {
      await book.closed(partner, cutOff.cycle, LAST_WORDS_MS, this.#signal)
      if (book.cutOff(partner) !== cutOff) return true
      log.warn({ event: 'cycle_abandoned', partner, cycle: cutOff.cycle })
      const error = new PredioError('CYCLE_ABANDONED', { partner })
      await this.#report({
        ...cutOff,
        outcome: 'abandoned',
        ended_at: clock.nowMs(),
        error_code: error.code,
        error: sentenceOf(error),
      })
      return true
    }
    const unconfirmed = book.unconfirmed(partner)
    if (unconfirmed === undefined) return false
    const waitMs = unconfirmed.ended_at + UNCONFIRMED_INTERVALS * every - clock.nowMs()
    if (waitMs <= 0) return false
    const isClosed = await book.closed(partner, unconfirmed.cycle, waitMs, this.#signal)
    if (!isClosed) log.warn({ event: 'cycle_unconfirmed', partner, cycle: unconfirmed.cycle })
    return isClosed
  }

  async #cycle(start: Ready, isFull: boolean): Promise<void> {
    const { clock, log } = this.#ports
    const { id: partner } = this.#partner
    const since = start.kind === 'incremental' && !isFull ? start.since : undefined
    if (start.kind === 'full' && start.why === 'aged') log.warn({ event: 'since_aged', partner })
    this.#lastStartMs = clock.nowMs()
    this.#lastCycle = nextCycle(this.#lastStartMs, newest(this.#lastCycle, this.#ports.book.floor))
    const order = { cycle: this.#lastCycle, base: start.base, since, driftedBefore: this.#driftedBefore }
    const report = await this.#ports.inTurn(() => this.#poll(order))
    this.#authFailures = report.error_code === 'PARTNER_AUTH' ? this.#authFailures + 1 : 0
    if (report.drift) this.#driftedBefore += 1
    else if (report.outcome === 'polled') this.#driftedBefore = 0
    await this.#report(report)
  }

  async #poll(order: CycleOrder): Promise<CycleReport> {
    const { log, clock, sender } = this.#ports
    const { cycle, since, base } = order
    const named = { partner: this.#partner.id, cycle }
    log.info({
      event: 'cycle_started',
      ...named,
      since: since ?? null,
      full: since === undefined,
      first: base === NO_BASE,
    })
    await this.#report(startedReport(this.#partner.id, order, clock.nowMs(), sender.partitions))
    const report = await runCycle(this.#partner, order, this.#ports, this.#signal)
    const { outcome, pages, properties, deletions, warnings, error_code: code, error } = report
    const ms = report.ended_at - report.started_at
    if (outcome === 'failed') log.warn({ event: 'cycle_failed', ...named, pages, properties, ms, code, error })
    else log.info({ event: 'cycle_polled', ...named, pages, properties, deletions, ms, warnings })
    return report
  }

  /** What we say stands in the book at once: the consumer reads it a moment later. */
  async #report(report: CycleReport): Promise<void> {
    await this.#ports.sendReport(report)
    this.#ports.book.said(report)
  }

  async #keepCommit({ base, lastCycle, ...start }: Ready): Promise<void> {
    const { clock } = this.#ports
    if (base === NO_BASE || clock.nowMs() - this.#committedMs < COMMIT_AGAIN_MS) return
    const marker = start.kind === 'incremental' ? { since: start.since, cycle: lastCycle! } : null
    await this.#ports.commitAgain(this.#partner.id, base, marker)
    this.#committedMs = clock.nowMs()
  }
}

type Ready = Extract<CycleStart, { kind: 'full' | 'incremental' }>

/** Follows what the committed offset says until it is clear what to ask the partner for. */
export async function findStart(partner: string, ports: PartnerPorts): Promise<Ready> {
  for (;;) {
    const start = cycleStart(await ports.readSince(partner), ports.clock.nowMs())
    if (start.kind === 'full' || start.kind === 'incremental') return start
    if (start.kind === 'recommit') {
      ports.log.warn({ event: 'since_recommitted', partner, offset: start.offset, why: start.why })
      const marker = start.offset === 0 ? undefined : await ports.readMarker(partner, start.offset - 1)
      await ports.commitAgain(partner, start.offset, marker ?? null)
      continue
    }
    const marker = await ports.readMarker(partner, start.offset)
    if (marker !== undefined) return startFrom(start.base, marker, ports.clock.nowMs()) as Ready
    ports.log.warn({ event: 'marker_missing', partner, offset: start.offset })
    return { kind: 'full', base: start.base, why: 'reset', lastCycle: undefined }
  }
}

const newest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
