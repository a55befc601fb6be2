import type { CatalogBatch, ListingWrite } from '../../../connectors/catalog-sink/batch.ts'
import { type Deletion, sampleDeletion } from '../../../schemas/records/deletion.ts'
import { type Listing, sampleListing } from '../../../schemas/records/listing.ts'
import { type Rejection, sampleRejection } from '../../../schemas/records/rejection.ts'

export const published = (listing: Partial<Listing> = {}): ListingWrite => ({
  status: 'published',
  listing: { ...sampleListing, ...listing },
})

export const draft = (listing: Partial<Listing> = {}): ListingWrite => ({
  status: 'draft',
  listing: { ...sampleListing, ...listing },
})

export const rejection = (rejection: Partial<Rejection> = {}): Rejection => ({ ...sampleRejection, ...rejection })

export const deletion = (deletion: Partial<Deletion> = {}): Deletion => ({ ...sampleDeletion, ...deletion })

export const batch = (records: Partial<CatalogBatch>): CatalogBatch => ({
  listings: [],
  rejections: [],
  deletions: [],
  ...records,
})
