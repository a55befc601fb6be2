import { PredioError } from '../../schemas/errors.ts'
import type { PropertyPage } from '../../schemas/feeds.ts'

/** A partner that does not know `limit` sends more than was asked for; this much more is a mistake or an attack. */
const PAGES_IN_ONE = 50
const ELEMENTS_MAX = 100_000
/** A partner may look for the selected listings after cutting the page, so some pages are empty; not as many in a row. */
export const EMPTY_PAGES_MAX = 1_000

/** Watches the pages of one crawl for what `meta.next` alone does not show (trap S8). */
export class PageGuard {
  readonly #maxElements: number
  #ids: string | undefined
  #empty = 0

  /** @param limit elements asked for in a page */
  constructor(limit: number) {
    this.#maxElements = Math.min(PAGES_IN_ONE * limit, ELEMENTS_MAX)
  }

  /** @throws PARTNER_PAGE_TOO_LONG; PARTNER_NEXT_LOOP: the last page came again; PARTNER_PAGES_ENDLESS */
  check(page: PropertyPage): PropertyPage {
    const { elements } = page
    if (elements.length > this.#maxElements) {
      throw new PredioError('PARTNER_PAGE_TOO_LONG', { elements: elements.length, most: this.#maxElements })
    }
    this.#empty = elements.length === 0 ? this.#empty + 1 : 0
    if (this.#empty > EMPTY_PAGES_MAX) throw new PredioError('PARTNER_PAGES_ENDLESS', { emptyPages: this.#empty })
    const ids = idsOf(page)
    if (ids !== undefined && ids === this.#ids) throw new PredioError('PARTNER_NEXT_LOOP', { reason: 'the same page' })
    this.#ids = ids
    return page
  }
}

/** @returns undefined where ids cannot tell pages apart: one listing can come twice in a row, and some have none */
function idsOf({ elements }: PropertyPage): string | undefined {
  if (elements.length < 2) return undefined
  const ids = elements.map(({ externalId }) => externalId)
  return ids.every(id => typeof id === 'string') && new Set(ids).size > 1 ? ids.join('\n') : undefined
}
