import type { CatalogBatch } from '../../../connectors/catalog-sink/batch.ts'
import { compareVersions, type Version } from '../../../schemas/version.ts'

/** What the catalog should hold, in the plainest way: one record at a time, in memory. */
export interface ModelRow {
  status: 'published' | 'draft' | 'inactive'
  version: Version
  /** Of the last listing written; null in a tombstone. */
  city: string | null
  heldBack: Version | null
}

export interface Model {
  readonly rows: Map<string, ModelRow>
  readonly deactivated: Map<number, number>
}

export function modelOf(batches: readonly CatalogBatch[]): Model {
  const model: Model = { rows: new Map(), deactivated: new Map() }
  for (const batch of batches) applyTo(model, batch)
  return model
}

function applyTo({ rows, deactivated }: Model, { deletions, listings, rejections }: CatalogBatch): void {
  const advance = (id: string, version: Version, change: Pick<ModelRow, 'status'> & Partial<ModelRow>): void => {
    const row = rows.get(id)
    if (row === undefined) {
      rows.set(id, { city: null, heldBack: null, version, ...change })
    } else if (compareVersions(version, row.version) >= 0) {
      Object.assign(row, change, { version })
      if (row.heldBack !== null && compareVersions(version, row.heldBack) >= 0) row.heldBack = null
    }
  }
  // The newest first: within a batch only the newest deletion of a property is written.
  for (const { external_id, cycle, sequence } of deletions.toSorted((a, b) => b.cycle - a.cycle)) {
    const before = rows.get(external_id)?.status ?? 'inactive'
    advance(external_id, { cycle, phase: 0, sequence }, { status: 'inactive' })
    if (before !== 'inactive' && rows.get(external_id)!.status === 'inactive') {
      deactivated.set(cycle, (deactivated.get(cycle) ?? 0) + 1)
    }
  }
  for (const { status, listing } of listings) {
    const { external_id, cycle, sequence, city } = listing
    advance(external_id, { cycle, phase: 1, sequence }, { status, city })
  }
  for (const { external_id, cycle, sequence } of rejections) {
    const version: Version = { cycle, phase: 1, sequence }
    const row = rows.get(external_id!)
    if (row === undefined || compareVersions(version, row.version) <= 0) continue
    if (row.heldBack === null || compareVersions(version, row.heldBack) >= 0) row.heldBack = version
  }
}
