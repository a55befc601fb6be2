import type { Logger } from 'pino'
import { PredioError, sentenceOf } from '../../schemas/errors.ts'
import {
  EMPTY_PAGE,
  FEED_PATHS,
  type Feed,
  NO_DELETIONS,
  parseDeletionAnswer,
  parsePropertyPage,
} from '../../schemas/feeds.ts'
import { isUsableExternalId } from '../../schemas/ids.ts'
import { sinceText } from '../../schemas/instant.ts'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import type { Partner } from '../partners.ts'
import type { Clock } from './clock.ts'
import { CycleBudget } from './cycle-budget.ts'
import { afterDrift, type Drift, DriftWatch } from './drift.ts'
import { PageGuard } from './page-guard.ts'
import { nextPage } from './paging.ts'
import type { FeedAnswer, PartnerClient } from './partner-client.ts'
import type { PageContext, PageSender } from './records.ts'
import { CycleTally, NOTHING_YET } from './tally.ts'
import { deletionWarnings, type PartnerWarning, SKEW_MAX_MS } from './warnings.ts'

export interface CycleOrder {
  readonly cycle: number
  readonly base: number
  /** Undefined asks both feeds for all they have; one feed is never asked whole and the other in part. */
  readonly since: number | undefined
  /** The partner's cycles in a row before this one whose property feed changed while it was read. */
  readonly driftedBefore: number
}

export interface CyclePorts {
  readonly client: PartnerClient
  readonly sender: PageSender
  readonly clock: Clock
  readonly log: Logger
}

/** Ids of a deletion answer that are sent as one page: a million of them must not become one request to Kafka. */
const DELETIONS_PER_PAGE = 1_000

/**
 * One cycle: deletions, then properties, so that a property in both ends up active (design section 3.4, A6). Each page
 * is sent on while the next is fetched. Never rejects: whatever goes wrong becomes a failed report, and a failed cycle
 * never moves `since`. The records that it did send stay; they are valid.
 */
export async function runCycle(
  partner: Partner,
  order: CycleOrder,
  ports: CyclePorts,
  signal: AbortSignal,
): Promise<CycleReport> {
  const cycle = new Cycle(partner, order, ports, signal)
  try {
    await cycle.deletions()
    await cycle.properties()
    return cycle.report('polled', null)
  } catch (error) {
    return cycle.report(
      'failed',
      PredioError.is(error) ? error : new PredioError('CYCLE_SEND_FAILED', {}, { cause: error }),
    )
  }
}

class Cycle {
  readonly #partner: Partner
  readonly #order: CycleOrder
  readonly #ports: CyclePorts
  readonly #budget: CycleBudget
  readonly #tally: CycleTally
  readonly #startedMs: number
  #partnerDateMs: number | undefined
  #sending: Promise<number | null> = Promise.resolve(null)

  constructor(partner: Partner, order: CycleOrder, ports: CyclePorts, signal: AbortSignal) {
    this.#partner = partner
    this.#order = order
    this.#ports = ports
    this.#startedMs = ports.clock.nowMs()
    this.#budget = new CycleBudget(signal, partner.cycle_timeout)
    this.#tally = new CycleTally(partner.id, order.cycle, ports.clock, ports.log)
  }

  async deletions(): Promise<void> {
    const { since } = this.#order
    const sent = since === undefined ? undefined : sinceText(since)
    const answer = await this.#read('deletions', sent === undefined ? {} : { since: sent })
    const deletions = answer.text === null ? NO_DELETIONS : parseDeletionAnswer(answer.text)
    if (answer.text !== null) this.#warn(...deletionWarnings(deletions, sent, this.#ports.clock.nowMs()))
    const { deletedIds, generatedAt } = deletions
    for (let from = 0; from < deletedIds.length; from += DELETIONS_PER_PAGE) {
      const ids = deletedIds.slice(from, from + DELETIONS_PER_PAGE)
      const origin = { generatedAt, whole: since === undefined }
      this.#tally.deletionsOffset(await this.#ports.sender.deletions(ids, this.#context(from), origin))
      const usable = ids.filter(isUsableExternalId).length
      this.#tally.deletions += usable
      if (usable < ids.length) this.#warn('deleted_id_unusable')
    }
  }

  /** Reads the property feed, and where it changed meanwhile once more: the data of both go on, they are valid. */
  async properties(): Promise<void> {
    const { id: partner } = this.#partner
    const { cycle, driftedBefore } = this.#order
    for (let crawls = 1; ; crawls++) {
      const drift = await this.#crawl()
      this.#tally.drift = drift !== undefined
      if (drift === undefined) return
      this.#warn('feed_drifted')
      const then = afterDrift(crawls, driftedBefore)
      this.#ports.log.warn({ event: 'feed_drifted', partner, cycle, drift, crawls, then })
      if (then === 'accept') return
      if (then === 'fail') throw new PredioError('PARTNER_DRIFT', { partner, sign: drift })
    }
  }

  report(outcome: 'polled' | 'failed', error: PredioError | null): CycleReport {
    const { properties, deletions } = this.#ports.sender.partitions
    const { cycle, base, since } = this.#order
    return {
      partner: this.#partner.id,
      cycle,
      outcome,
      base,
      since: since ?? null,
      next_since: outcome === 'polled' ? nextSince(this.#startedMs, this.#partnerDateMs, this.#partner.overlap) : null,
      started_at: this.#startedMs,
      ended_at: this.#ports.clock.nowMs(),
      properties_partition: properties,
      deletions_partition: deletions,
      skew_ms: this.#partnerDateMs === undefined ? null : this.#partnerDateMs - this.#startedMs,
      ...this.#tally.counts(this.#budget),
      error_code: error?.code ?? null,
      error: error === null ? null : sentenceOf(error),
    }
  }

  /** @returns what showed that the feed changed while it was read */
  async #crawl(): Promise<Drift | undefined> {
    const { page_size: limit, id, base_url } = this.#partner
    const { since } = this.#order
    const feedUrl = new URL(base_url + FEED_PATHS.properties)
    const asked = { limit: String(limit), ...(since === undefined ? {} : { updated_since: sinceText(since) }) }
    const guard = new PageGuard(limit)
    const watch = new DriftWatch()
    const seen = new Set<string>()
    let offset = '0'
    try {
      for (;;) {
        seen.add(offset)
        const answer = await this.#read('properties', { ...asked, offset })
        const page = guard.check(answer.text === null ? EMPTY_PAGE : parsePropertyPage(answer.text))
        await this.#sent()
        this.#sending = this.#ports.sender.properties(page.elements, this.#context(this.#tally.properties))
        this.#sending.catch(() => {}) // awaited with the next page; until then it must not count as unhandled
        watch.page(page)
        this.#tally.page(page)
        const next = nextPage({ feedUrl, offset, seen, asked }, page.next)
        if (next.kind === 'end') return watch.end()
        if (next.kind === 'refused') throw new PredioError(next.code, { partner: id, page: this.#tally.pages })
        if (next.differs) this.#warn('next_differs')
        offset = next.offset
      }
    } finally {
      await this.#sent()
    }
  }

  async #read(feed: Feed, query: Record<string, string>): Promise<FeedAnswer> {
    const answer = await this.#ports.client.read(feed, query, this.#budget)
    if (this.#partnerDateMs === undefined && answer.dateMs !== undefined) {
      this.#partnerDateMs = answer.dateMs
      if (Math.abs(answer.dateMs - this.#ports.clock.nowMs()) > SKEW_MAX_MS) this.#warn('clock_skewed')
    }
    return answer
  }

  async #sent(): Promise<void> {
    this.#tally.propertiesOffset(await this.#sending)
  }

  #warn(...warnings: readonly PartnerWarning[]): void {
    for (const warning of warnings) this.#tally.warnings.add(warning)
  }

  #context(sequence: number): PageContext {
    const { cycle } = this.#order
    return {
      partner: this.#partner.id,
      cycle,
      page: this.#tally.pages,
      sequence,
      receivedMs: this.#ports.clock.nowMs(),
    }
  }
}

/** What is said before the first request, so that a cycle that is cut off is not forgotten. */
export function startedReport(
  partner: string,
  { cycle, base, since }: CycleOrder,
  nowMs: number,
  partitions: PageSender['partitions'],
): CycleReport {
  return {
    partner,
    cycle,
    outcome: 'started',
    base,
    since: since ?? null,
    next_since: null,
    started_at: nowMs,
    ended_at: nowMs,
    properties_partition: partitions.properties,
    deletions_partition: partitions.deletions,
    skew_ms: null,
    ...NOTHING_YET,
    error_code: null,
    error: null,
  }
}

/**
 * What the next cycle asks from (design section 3.5, A5): the start of this one by whichever clock is behind, less the
 * overlap, in whole seconds. Never its end: a change made while we read would be lost.
 */
export function nextSince(startedMs: number, partnerDateMs: number | undefined, overlapMs: number): number {
  return Math.floor((Math.min(startedMs, partnerDateMs ?? startedMs) - overlapMs) / 1_000) * 1_000
}
