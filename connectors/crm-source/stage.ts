import { type CycleReport, NO_BASE } from '../../schemas/records/cycle-report.ts'
import type { Marker } from '../../schemas/records/marker.ts'
import { nextCycle } from '../../schemas/version.ts'
import type { Partner } from '../partners.ts'
import { type CycleOrder, type CyclePorts, runCycle } from './cycle.ts'
import { nextPollMs, phaseOf } from './schedule.ts'
import { type CycleStart, cycleStart, type SinceFacts, startFrom } from './start.ts'

/** What a partner's loop needs of Kafka. */
export interface PartnerPorts extends CyclePorts {
  readonly readSince: (partner: string) => Promise<SinceFacts>
  readonly readMarker: (partner: string, offset: number) => Promise<Marker | undefined>
  /** Commits the offset behind the last marker again. */
  readonly recommit: (partner: string, offset: number) => Promise<void>
  readonly sendReport: (report: CycleReport) => Promise<void>
  /** Resolves when the checkpoint has closed the cycle, or after `timeoutMs`; rejects when the signal fires. */
  readonly closed: (partner: string, cycle: number, timeoutMs: number, signal: AbortSignal) => Promise<boolean>
  /** Waits for one of the places that are polled at the same time. */
  readonly inTurn: <T>(run: () => Promise<T>) => Promise<T>
}

/** A poll that nobody confirms in this many intervals is done again from the same `since` (design section 3.8). */
const UNCONFIRMED_INTERVALS = 3
/** Before asking Kafka again after it failed us. */
const KAFKA_PAUSE_MS = 2_000

/** Polls one partner, cycle after cycle, until the signal fires. One cycle in flight; whatever fails, the next one comes. */
export async function pollPartner(partner: Partner, ports: PartnerPorts, signal: AbortSignal): Promise<void> {
  const { clock, log } = ports
  const phaseMs = phaseOf(partner.id, partner.every)
  let lastCycle: number | undefined
  while (!signal.aborted) {
    try {
      const start = await findStart(partner.id, ports)
      lastCycle = newest(lastCycle, start.lastCycle)
      const dueMs = nextPollMs(partner.every, phaseMs, lastCycle, clock.nowMs())
      if (dueMs > clock.nowMs()) {
        // An operator may reset `since` meanwhile, so it is read again when the time has come.
        await clock.sleep(dueMs - clock.nowMs(), signal)
        continue
      }
      lastCycle = nextCycle(clock.nowMs(), lastCycle)
      const order = orderOf(start, lastCycle)
      const report = await ports.inTurn(() => cycleOf(partner, order, ports, signal))
      await ports.sendReport(report)
      if (report.outcome === 'polled') await confirmed(partner, report, ports, signal)
    } catch (error) {
      if (signal.aborted) return
      log.error({ event: 'source_stalled', partner: partner.id, error: (error as Error).message })
      await clock.sleep(KAFKA_PAUSE_MS, signal).catch(() => {})
    }
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
      await ports.recommit(partner, start.offset)
      continue
    }
    const marker = await ports.readMarker(partner, start.offset)
    if (marker !== undefined) return startFrom(start.base, marker, ports.clock.nowMs()) as Ready
    ports.log.warn({ event: 'marker_missing', partner, offset: start.offset })
    return { kind: 'full', base: start.base, why: 'reset', lastCycle: undefined }
  }
}

function orderOf(start: Ready, cycle: number): CycleOrder {
  return { cycle, base: start.base, since: start.kind === 'incremental' ? start.since : undefined }
}

async function cycleOf(
  partner: Partner,
  order: CycleOrder,
  ports: PartnerPorts,
  signal: AbortSignal,
): Promise<CycleReport> {
  const { log } = ports
  const named = { partner: partner.id, cycle: order.cycle }
  log.info({
    event: 'cycle_started',
    ...named,
    since: order.since ?? null,
    full: order.since === undefined,
    first: order.base === NO_BASE,
  })
  const report = await runCycle(partner, order, ports, signal)
  const { outcome, pages, properties, deletions, error_code: code, error } = report
  const ms = report.ended_at - report.started_at
  if (outcome === 'failed') log.warn({ event: 'cycle_failed', ...named, pages, properties, ms, code, error })
  else log.info({ event: 'cycle_polled', ...named, pages, properties, deletions, ms })
  return report
}

async function confirmed(
  partner: Partner,
  { cycle }: CycleReport,
  ports: PartnerPorts,
  signal: AbortSignal,
): Promise<void> {
  const isClosed = await ports.closed(partner.id, cycle, UNCONFIRMED_INTERVALS * partner.every, signal)
  if (!isClosed) ports.log.warn({ event: 'cycle_unconfirmed', partner: partner.id, cycle })
}

const newest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
