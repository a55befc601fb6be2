import type { Deletion } from '../../schemas/records/deletion.ts'
import type { Listing } from '../../schemas/records/listing.ts'
import type { Rejection } from '../../schemas/records/rejection.ts'
import { compareVersions, DELETIONS_PHASE, PROPERTIES_PHASE, type Version } from '../../schemas/version.ts'

/** Records to be written together. Each list stands in the order in which its topic delivered it. */
export interface CatalogBatch {
  readonly listings: readonly ListingWrite[]
  readonly rejections: readonly Rejection[]
  readonly deletions: readonly Deletion[]
}

export interface ListingWrite {
  readonly status: 'published' | 'draft'
  readonly listing: Listing
}

/** The very object that was handed in, so that the caller finds its message again. */
export type CatalogRecord =
  | { readonly kind: 'listing'; readonly record: Listing }
  | { readonly kind: 'rejection'; readonly record: Rejection }
  | { readonly kind: 'deletion'; readonly record: Deletion }

/** Where a record of a cycle went. 'deactivated' counts rows, and the database alone can tell them. */
export type TallyRoute = 'accepted' | 'draft' | 'rejected'

/** Records of one cycle and route. */
export interface TallyEntry {
  readonly partner: string
  readonly cycle: number
  readonly route: TallyRoute
  /** Growing. */
  readonly sequences: readonly number[]
}

interface Keyed {
  readonly partner: string
  readonly external_id: string
}

type Sequenced = Pick<Version, 'cycle' | 'sequence'>

export function versionOfProperty({ cycle, sequence }: Sequenced): Version {
  return { cycle, phase: PROPERTIES_PHASE, sequence }
}

export function versionOfDeletion({ cycle, sequence }: Sequenced): Version {
  return { cycle, phase: DELETIONS_PHASE, sequence }
}

/**
 * One record per property, its newest (the last one of equals): one statement cannot write a row twice (SQLSTATE 21000).
 * In the order of their keys, so that two writers lock common rows in the same order.
 */
export function newestByKey<T>(
  records: readonly T[],
  keyOf: (record: T) => Keyed,
  versionOf: (record: T) => Version,
): T[] {
  const newest = new Map<string, T>()
  for (const record of records) {
    const { partner, external_id } = keyOf(record)
    const key = `${partner}/${external_id}`
    const known = newest.get(key)
    if (known === undefined || compareVersions(versionOf(record), versionOf(known)) >= 0) newest.set(key, record)
  }
  return [...newest].sort(byKey).map(([, record]) => record)
}

/**
 * The records of each cycle and route that are new within the batch. A route of a partner arrives in the order of its
 * sequence, so one that does not grow was counted before. In the order of their keys, as above.
 */
export function tallyOf({ listings, rejections }: CatalogBatch): TallyEntry[] {
  const entries = new Map<string, TallyEntry & { sequences: number[] }>()
  const count = (route: TallyRoute, { partner, cycle, sequence }: Sequenced & { partner: string }): void => {
    const key = `${partner}/${cycle}/${route}`
    const entry = entries.get(key)
    if (entry === undefined) entries.set(key, { partner, cycle, route, sequences: [sequence] })
    else if (sequence > entry.sequences.at(-1)!) entry.sequences.push(sequence)
  }
  for (const { status, listing } of listings) count(status === 'published' ? 'accepted' : 'draft', listing)
  for (const rejection of rejections) count('rejected', rejection)
  return [...entries].sort(byKey).map(([, entry]) => entry)
}

export function sizeOf({ listings, rejections, deletions }: CatalogBatch): number {
  return deletions.length + listings.length + rejections.length
}

/** Two batches that, written one after the other, do what the whole does. Neither is empty where there are two records. */
export function halvesOf({ listings, rejections, deletions }: CatalogBatch): [CatalogBatch, CatalogBatch] {
  const middle = Math.ceil((deletions.length + listings.length + rejections.length) / 2)
  // in the order in which a batch is written
  const fromListings = Math.max(middle - deletions.length, 0)
  const fromRejections = Math.max(fromListings - listings.length, 0)
  return [
    {
      deletions: deletions.slice(0, middle),
      listings: listings.slice(0, fromListings),
      rejections: rejections.slice(0, fromRejections),
    },
    {
      deletions: deletions.slice(middle),
      listings: listings.slice(fromListings),
      rejections: rejections.slice(fromRejections),
    },
  ]
}

/** The record of a batch of one. */
export function soleRecordOf({ listings, rejections, deletions }: CatalogBatch): CatalogRecord {
  if (deletions[0] !== undefined) return { kind: 'deletion', record: deletions[0] }
  if (listings[0] !== undefined) return { kind: 'listing', record: listings[0].listing }
  return { kind: 'rejection', record: rejections[0]! }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
