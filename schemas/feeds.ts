import { PredioError } from './errors.ts'
import { instantOf } from './instant.ts'
import { elementTexts } from './json-elements.ts'

/** The two feeds of contract section 4, by the names they have everywhere in Predio. */
export const FEED_PATHS = {
  properties: '/api/v1/marketplace/properties',
  deletions: '/api/v1/marketplace/properties/deleted',
} as const

export type Feed = keyof typeof FEED_PATHS

/** Contract 2.2: `data` is the name; the older two are tolerated. */
const ARRAY_NAMES = ['data', 'objects', 'items'] as const

export interface PropertyPage {
  readonly elements: readonly PropertyElement[]
  /** `meta.next` as sent; what it means is decided by paging. */
  readonly next: unknown
  readonly totalCount: number | undefined
}

export interface PropertyElement {
  /** As sent: anything, also absent. */
  readonly externalId: unknown
  /** The partner's JSON text of the element, untouched. */
  readonly body: string
}

export const EMPTY_PAGE: PropertyPage = { elements: [], next: null, totalCount: undefined }

/** @throws PARTNER_BODY_UNREADABLE, PARTNER_ENVELOPE: the page cannot be trusted, so the cycle fails (contract 7) */
export function parsePropertyPage(text: string): PropertyPage {
  const envelope = objectOf(text, 'properties')
  const name = ARRAY_NAMES.find(candidate => Array.isArray(envelope[candidate]))
  if (name === undefined) throw new PredioError('PARTNER_ENVELOPE', { feed: 'properties', lacks: 'an array data' })
  const values = envelope[name] as readonly unknown[]
  const meta = metaOf(envelope.meta)
  const total = meta.total_count
  return {
    elements: elementTexts(text, name).map((body, index) => ({ externalId: externalIdOf(values[index]), body })),
    next: meta.next,
    totalCount: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : undefined,
  }
}

/**
 * Without `meta` there is no next page, but what cannot be understood must not mean the same: a feed cut short would move
 * `since` past what was never read. `[]` is PHP's empty object.
 */
function metaOf(meta: unknown): { readonly next?: unknown; readonly total_count?: unknown } {
  if (meta === undefined || meta === null || (Array.isArray(meta) && meta.length === 0)) return {}
  if (typeof meta === 'object' && !Array.isArray(meta)) return meta
  throw new PredioError('PARTNER_ENVELOPE', { feed: 'properties', lacks: 'an object meta' })
}

function externalIdOf(element: unknown): unknown {
  return typeof element === 'object' && element !== null && Object.hasOwn(element, 'external_id')
    ? (element as { external_id: unknown }).external_id
    : undefined
}

export interface DeletionAnswer {
  /** As sent: each may be anything. */
  readonly deletedIds: readonly unknown[]
  readonly since: unknown
  /** Milliseconds since the Unix epoch; null when absent or no RFC 3339 date-time. */
  readonly generatedAt: number | null
}

export const NO_DELETIONS: DeletionAnswer = { deletedIds: [], since: null, generatedAt: null }

/**
 * Contract 2.3: `deleted_ids` is required even when empty, so its absence is a fault and never an empty set.
 *
 * @throws PARTNER_BODY_UNREADABLE, PARTNER_ENVELOPE
 */
export function parseDeletionAnswer(text: string): DeletionAnswer {
  const { deleted_ids: deletedIds, since, generated_at: generatedAt } = objectOf(text, 'deletions')
  if (!Array.isArray(deletedIds))
    throw new PredioError('PARTNER_ENVELOPE', { feed: 'deletions', lacks: 'an array deleted_ids' })
  return { deletedIds, since, generatedAt: instantOf(generatedAt) ?? null }
}

function objectOf(text: string, feed: Feed): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message quotes the body, which may hold contact data.
    throw new PredioError('PARTNER_BODY_UNREADABLE', { feed, bytes: Buffer.byteLength(text) })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PredioError('PARTNER_ENVELOPE', { feed, lacks: 'an object around the data' })
  }
  return value as Record<string, unknown>
}
