import type { Logger } from 'pino'
import { PredioError, sentenceOf } from '../../schemas/errors.ts'
import { EMPTY_PAGE, FEED_PATHS, NO_DELETIONS, parseDeletionAnswer, parsePropertyPage } from '../../schemas/feeds.ts'
import { isUsableExternalId } from '../../schemas/ids.ts'
import { sinceText } from '../../schemas/instant.ts'
import type { CycleReport } from '../../schemas/records/cycle-report.ts'
import type { Partner } from '../partners.ts'
import type { Clock } from './clock.ts'
import { nextPage } from './paging.ts'
import { CycleBudget, type FeedAnswer, type PartnerClient } from './partner-client.ts'
import type { PageContext, PageSender } from './records.ts'

export interface CycleOrder {
  readonly cycle: number
  readonly base: number
  /** Undefined asks both feeds for all they have; one feed is never asked whole and the other in part. */
  readonly since: number | undefined
}

export interface CyclePorts {
  readonly client: PartnerClient
  readonly sender: PageSender
  readonly clock: Clock
  readonly log: Logger
}

/** Ids of a deletion answer that are sent as one page: a million of them must not become one request to Kafka. */
const DELETIONS_PER_PAGE = 1_000

const PROGRESS_EVERY_MS = 1_000

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
  const crawl = new Crawl(partner, order, ports, signal)
  try {
    await crawl.deletions()
    await crawl.properties()
    return crawl.report('polled', null)
  } catch (error) {
    return crawl.report(
      'failed',
      PredioError.is(error) ? error : new PredioError('CYCLE_SEND_FAILED', {}, { cause: error }),
    )
  }
}

class Crawl {
  readonly #partner: Partner
  readonly #order: CycleOrder
  readonly #ports: CyclePorts
  readonly #budget: CycleBudget
  readonly #startedMs: number
  #partnerDateMs: number | undefined
  #sending: Promise<number | null> = Promise.resolve(null)
  #progressDueMs = 0
  #pages = 0
  #properties = 0
  #deletions = 0
  #propertiesOffset: number | null = null
  #deletionsOffset: number | null = null

  constructor(partner: Partner, order: CycleOrder, ports: CyclePorts, signal: AbortSignal) {
    this.#partner = partner
    this.#order = order
    this.#ports = ports
    this.#budget = new CycleBudget(signal)
    this.#startedMs = ports.clock.nowMs()
  }

  async deletions(): Promise<void> {
    const { since } = this.#order
    const answer = await this.#read('deletions', since === undefined ? {} : { since: sinceText(since) })
    const { deletedIds, generatedAt } = answer.text === null ? NO_DELETIONS : parseDeletionAnswer(answer.text)
    for (let from = 0; from < deletedIds.length; from += DELETIONS_PER_PAGE) {
      const ids = deletedIds.slice(from, from + DELETIONS_PER_PAGE)
      const context = this.#context(from)
      this.#deletionsOffset =
        (await this.#ports.sender.deletions(ids, context, { generatedAt, whole: since === undefined })) ??
        this.#deletionsOffset
      this.#deletions += ids.filter(isUsableExternalId).length
    }
  }

  async properties(): Promise<void> {
    const { since } = this.#order
    const { page_size: limit, id, base_url } = this.#partner
    const feedUrl = new URL(base_url + FEED_PATHS.properties)
    const filter: Record<string, string> = since === undefined ? {} : { updated_since: sinceText(since) }
    const seen = new Set<string>()
    let offset = '0'
    try {
      for (;;) {
        seen.add(offset)
        const answer = await this.#read('properties', { ...filter, offset, limit: String(limit) })
        const page = answer.text === null ? EMPTY_PAGE : parsePropertyPage(answer.text)
        await this.#sent()
        this.#sending = this.#ports.sender.properties(page.elements, this.#context(this.#properties))
        this.#sending.catch(() => {}) // awaited with the next page; until then it must not count as unhandled
        this.#properties += page.elements.length
        this.#pages += 1
        this.#progress(page.totalCount)
        const next = nextPage({ feedUrl, offset, seen }, page.next)
        if (next.kind === 'end') return
        if (next.kind === 'refused') throw new PredioError(next.code, { partner: id, page: this.#pages })
        offset = next.offset
      }
    } finally {
      await this.#sent()
    }
  }

  report(outcome: 'polled' | 'failed', error: PredioError | null): CycleReport {
    const { properties, deletions } = this.#ports.sender.partitions
    return {
      partner: this.#partner.id,
      cycle: this.#order.cycle,
      outcome,
      base: this.#order.base,
      since: this.#order.since ?? null,
      next_since: outcome === 'polled' ? nextSince(this.#startedMs, this.#partnerDateMs, this.#partner.overlap) : null,
      started_at: this.#startedMs,
      ended_at: this.#ports.clock.nowMs(),
      pages: this.#pages,
      properties: this.#properties,
      deletions: this.#deletions,
      properties_partition: properties,
      properties_offset: this.#propertiesOffset,
      deletions_partition: deletions,
      deletions_offset: this.#deletionsOffset,
      drift: false,
      error_code: error?.code ?? null,
      error: error === null ? null : sentenceOf(error),
    }
  }

  async #read(feed: 'deletions' | 'properties', query: Record<string, string>): Promise<FeedAnswer> {
    const answer = await this.#ports.client.read(feed, query, this.#budget)
    this.#partnerDateMs ??= answer.dateMs
    return answer
  }

  async #sent(): Promise<void> {
    this.#propertiesOffset = (await this.#sending) ?? this.#propertiesOffset
  }

  /** A line every second at most: whoever waits for a long first cycle sees it move. */
  #progress(total: number | undefined): void {
    const { clock, log } = this.#ports
    if (clock.nowMs() < this.#progressDueMs) return
    this.#progressDueMs = clock.nowMs() + PROGRESS_EVERY_MS
    const { cycle } = this.#order
    log.info({
      event: 'cycle_progress',
      partner: this.#partner.id,
      cycle,
      pages: this.#pages,
      properties: this.#properties,
      total,
    })
  }

  #context(sequence: number): PageContext {
    const { cycle } = this.#order
    return { partner: this.#partner.id, cycle, page: this.#pages, sequence, receivedMs: this.#ports.clock.nowMs() }
  }
}

/**
 * What the next cycle asks from (design section 3.5, A5): the start of this one by whichever clock is behind, less the
 * overlap, in whole seconds. Never its end: a change made while we read would be lost.
 */
export function nextSince(startedMs: number, partnerDateMs: number | undefined, overlapMs: number): number {
  return Math.floor((Math.min(startedMs, partnerDateMs ?? startedMs) - overlapMs) / 1_000) * 1_000
}
