/** What a test has put into the partner, and how its pages are worded. No network. */

export interface StoredListing {
  readonly listing: object
  /** When it was put, by the partner's clock: what `updated_since` is compared with, whatever `updated_at` claims. */
  readonly changedMs: number
}

/** The shapes that the contract (2.2, 4.1, 4.2) leaves open to a partner. */
export interface Shape {
  envelope: 'data' | 'objects' | 'items'
  /** `204`: an empty page, and an empty set of deleted ids, has no body. */
  emptyAs: '200' | '204'
  /** A marker is the next offset as text; an opaque one reads `page-400` and is accepted as `offset`. */
  next: 'absolute-url' | 'relative-url' | 'marker' | 'opaque-marker'
  /** How the last page says so. */
  end: 'null' | 'empty' | 'absent'
  totalCount: boolean
}

export const CONTRACT_SHAPE: Shape = {
  envelope: 'data',
  emptyAs: '200',
  next: 'absolute-url',
  end: 'null',
  totalCount: true,
}

export interface PageRequest {
  readonly offset: number
  readonly limit: number
  /** As received; undefined in a first cycle. */
  readonly updatedSince: string | undefined
}

/** Serialized when it is put, so that a crawl of 100,000 listings costs a test next to nothing. */
interface Row extends StoredListing {
  readonly json: string
}

interface Selection {
  readonly rows: readonly Row[]
  /** By offset, limit and shape. */
  readonly pages: Map<string, Buffer>
}

export class PartnerState {
  /** Change it only by `put` and `delete`; the order is the order of the feed. */
  readonly listings: ReadonlyMap<string, StoredListing>
  /** `external_id` -> time of deletion, epoch milliseconds. A test may write to it: a property can be in both feeds. */
  readonly deletions = new Map<string, number>()
  readonly #rows = new Map<string, Row>()
  #nextUnnamed = 1
  /** By `updated_since` as received, until the next change. */
  readonly #selections = new Map<string | undefined, Selection>()

  constructor() {
    this.listings = this.#rows
  }

  put(listing: object, changedMs: number): void {
    const id = 'external_id' in listing && typeof listing.external_id === 'string' ? listing.external_id : undefined
    this.#rows.set(id ?? `without external_id ${this.#nextUnnamed++}`, {
      listing,
      changedMs,
      json: JSON.stringify(listing),
    })
    if (id !== undefined) this.deletions.delete(id)
    this.#selections.clear()
  }

  delete(externalId: string, deletedMs: number): void {
    this.#rows.delete(externalId)
    this.deletions.set(externalId, deletedMs)
    this.#selections.clear()
  }

  /** Strictly modified after; live: what changes between two pages moves the rows, as in a careless CRM. */
  #select(updatedSince: string | undefined): Selection {
    const known = this.#selections.get(updatedSince)
    if (known !== undefined) return known
    const sinceMs = updatedSince === undefined ? Number.NEGATIVE_INFINITY : Date.parse(updatedSince)
    const selection = { rows: [...this.#rows.values()].filter(row => row.changedMs > sinceMs), pages: new Map() }
    this.#selections.set(updatedSince, selection)
    return selection
  }

  /** The body of a page, null where `emptyAs` wants none. `next` replaces what `meta.next` would be. */
  page(request: PageRequest, shape: Shape, url: string, next?: { readonly value: unknown }): Buffer | null {
    const { offset, limit } = request
    const { rows, pages } = this.#select(request.updatedSince)
    if (offset >= rows.length && shape.emptyAs === '204') return null
    const key = `${offset} ${limit} ${Object.values(shape)}`
    const known = next === undefined ? pages.get(key) : undefined
    if (known !== undefined) return known
    const end = { null: null, empty: '', absent: undefined }[shape.end]
    const regular = offset + limit < rows.length ? nextOf(request, shape, url) : end
    const meta = {
      next: next === undefined ? regular : next.value,
      ...(shape.totalCount ? { total_count: rows.length } : {}),
    }
    const data = rows
      .slice(offset, offset + limit)
      .map(row => row.json)
      .join(',')
    const page = Buffer.from(`{"${shape.envelope}":[${data}],"meta":${JSON.stringify(meta)}}`)
    if (next === undefined) pages.set(key, page)
    return page
  }

  deleted(since: string | undefined, shape: Shape, nowMs: number): Buffer | null {
    const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
    const ids = [...this.deletions].filter(([, deletedMs]) => deletedMs >= sinceMs).map(([id]) => id)
    if (ids.length === 0 && shape.emptyAs === '204') return null
    const answer = {
      deleted_ids: ids,
      since: ids.length > 0 ? (since ?? null) : null,
      generated_at: new Date(nowMs).toISOString(),
    }
    return Buffer.from(JSON.stringify(answer))
  }
}

function nextOf({ offset, limit, updatedSince }: PageRequest, shape: Shape, url: string): string {
  const after = String(offset + limit)
  if (shape.next === 'marker') return after
  if (shape.next === 'opaque-marker') return `page-${after}`
  const query = new URLSearchParams({
    ...(updatedSince === undefined ? {} : { updated_since: updatedSince }),
    offset: after,
    limit: String(limit),
  })
  const absolute = `${url}?${query}`
  return shape.next === 'absolute-url' ? absolute : absolute.slice(new URL(url).origin.length)
}
