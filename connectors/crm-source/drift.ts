import type { PropertyPage } from '../../schemas/feeds.ts'
import { isUsableExternalId } from '../../schemas/ids.ts'
import { IdSet } from './id-set.ts'

/** What showed that the feed changed while it was read. */
export type Drift = 'id_twice' | 'total_changed' | 'total_wrong'

/**
 * Watches one crawl of the property feed (design section 4, trap S9). With offsets, a row that is taken out on an
 * earlier page moves later rows over the page boundary: the one that slides past is old, so no later cycle would bring
 * it again. Nobody can see the missing row, but mostly what comes with it: an id twice, or a total that does not hold.
 */
export class DriftWatch {
  readonly #ids = new IdSet()
  #elements = 0
  #total: number | undefined
  #drift: Drift | undefined

  page({ elements, totalCount }: PropertyPage): void {
    this.#elements += elements.length
    for (const { externalId } of elements) {
      if (isUsableExternalId(externalId) && !this.#ids.add(externalId)) this.#drift ??= 'id_twice'
    }
    if (totalCount === undefined) return
    if (this.#total !== undefined && this.#total !== totalCount) this.#drift ??= 'total_changed'
    this.#total = totalCount
  }

  /** @returns what was seen by the end of the crawl; undefined when nothing was */
  end(): Drift | undefined {
    if (this.#drift === undefined && this.#total !== undefined && this.#total !== this.#elements) return 'total_wrong'
    return this.#drift
  }
}

/** Drifted cycles in a row that fail; the next one is accepted with an alarm, or the partner would never move on. */
export const DRIFTED_CYCLES_MAX = 3
/** Crawls of the property feed in one cycle: drift is often over when one looks again. */
export const CRAWLS_MAX = 2

/** What a crawl that drifted leads to. */
export function afterDrift(crawls: number, driftedBefore: number): 'crawl-again' | 'fail' | 'accept' {
  if (crawls < CRAWLS_MAX) return 'crawl-again'
  return driftedBefore < DRIFTED_CYCLES_MAX ? 'fail' : 'accept'
}
