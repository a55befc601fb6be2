import { expect } from 'vitest'
import { countsOf, shownIn, shownOf } from './catalog-oracle.ts'
import { entries } from './listings.ts'
import type { FaultScript } from './partner.ts'
import type { PartnerPlan, Pipeline } from './pipeline.ts'

/** 25 pages of 200, some 6 MB: many transactions and batches, of which one is cut. */
const SAMPLE = entries(5_000)
const MIDDLE_PAGE = 12

/** Partners whose first cycle stands still until it is released; with `1h` there is no second one. */
export class HeldPartners {
  readonly plans: Readonly<Record<string, PartnerPlan>>
  readonly #gates: ReadonlyMap<string, PromiseWithResolvers<void>>

  constructor(ids: readonly string[], { every = '1h' } = {}) {
    this.#gates = new Map(ids.map(id => [id, Promise.withResolvers<void>()]))
    const listings = SAMPLE.map(({ listing }) => listing)
    const plan = { listings, every, pageSize: 200, requestTimeout: '10m' }
    this.plans = Object.fromEntries(ids.map(id => [id, { ...plan, fault: this.#holding(id) }]))
  }

  release(id: string): void {
    this.#gates.get(id)!.resolve()
  }

  /** Releases it; runs when half of the properties have been sent, and the cycle stands still meanwhile. */
  releaseUpToHalf(pipeline: Pipeline, id: string): Promise<{ goOn(): void }> {
    const { promise, resolve } = Promise.withResolvers<{ goOn(): void }>()
    const held = this.#holding(id)
    pipeline.partner(id).fault(moment => {
      if (moment.feed === 'deletions' || moment.page !== MIDDLE_PAGE) return held(moment)
      const run = () => {
        const { promise: gone, resolve: goOn } = Promise.withResolvers<void>()
        pipeline.partner(id).fault(undefined)
        resolve({ goOn })
        return gone
      }
      return { kind: 'before', run }
    })
    this.release(id)
    return promise
  }

  #holding(id: string): FaultScript {
    const { promise } = this.#gates.get(id)!
    return ({ feed }) => (feed === 'deletions' ? { kind: 'before', run: () => promise } : undefined)
  }
}

interface Sequenced {
  readonly cycle: number
  readonly sequence: number
}
const placesOf = (records: readonly Sequenced[]): string[] =>
  records.map(({ cycle, sequence }) => `${cycle}/${sequence}`).sort()

/**
 * Waits for the partner's checkpoint and compares with what would be without the kill: the catalog and its tally, one
 * record made of each raw record, nothing in the dead letters, and a `since` that is that of the last marker.
 *
 * @returns the cycles of the partner's markers
 */
export async function expectAsWithoutKill(pipeline: Pipeline, id: string): Promise<number[]> {
  const { view, log } = pipeline
  // Not by the log: a checkpoint that was killed may have had no time to say it.
  const { cycle } = await log.eventually(
    `checkpoint of ${id}`,
    async () => (await view.since(id)).metadata ?? undefined,
  )
  expect(await pipeline.tally(id, cycle)).toEqual({ ...countsOf(SAMPLE), deactivated: 0 })
  expect(shownIn(await pipeline.catalog(id))).toEqual(shownOf(SAMPLE))

  await view.caughtUp('validator', 'properties.raw')
  await view.caughtUp('checkpoint', 'cycle-reports')
  const raw = await view.records('properties.raw', id)
  const routes = ['listings.accepted', 'listings.draft', 'listings.rejected'] as const
  const made = (await Promise.all(routes.map(key => view.records(key, id)))).flat()
  expect(raw.filter(record => record.cycle === cycle)).toHaveLength(SAMPLE.length)
  expect(placesOf(made)).toEqual(placesOf(raw))
  expect(await view.deadLetters()).toEqual([])

  const since = await view.since(id)
  const markers = (await view.markers(id)).map(({ marker }) => marker)
  const last = markers[since.offset - 1]!
  expect(since.metadata).toEqual({ since: last.since, cycle: last.cycle })
  const cycles = markers.map(marker => marker.cycle)
  expect([...new Set(cycles)].sort()).toEqual(cycles)
  return cycles
}
