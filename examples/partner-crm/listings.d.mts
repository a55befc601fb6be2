/** A property as the contract (2.1) words it, with what this CRM knows besides. */
export interface Listing {
  external_id: string
  property_type: 'office' | 'retail' | 'industrial' | 'terrain'
  modality: 'rent' | 'sale' | 'rent_and_sale'
  updated_at: string
  title: string
  description: string
  area_m2: number
  amenities: string[]
  photos: string[]
  price: { currency: 'MXN' | 'USD'; rent_price: number | null; sale_price: number | null }
  location: {
    latitude: number
    longitude: number
    street: string
    city: string
    state: string
    postal_code: string
  }
  contact: { name: string; email: string; phone: string }
}

export interface Entry {
  readonly key: string
  /** The listing without its mistake, if it has one. */
  readonly sound: Listing
  /** What the feed serves: `sound`, or what a mistake made of it. */
  readonly listing: Readonly<Record<string, unknown>>
  /** The oracle: the code of the rule that the listing was made to break, and no other one; empty when it is fine. */
  readonly breaks: readonly string[]
  /** When it last changed, milliseconds since the Unix epoch, whatever its `updated_at` claims. */
  readonly changedMs: number
}

export interface Catalogue {
  readonly entries: Map<string, Entry>
  /** `external_id` -> time of deletion or withdrawal, milliseconds since the Unix epoch. */
  readonly deletions: Map<string, number>
  readonly withdrawn: Entry[]
  nextNumber: number
  ticks: number
}

export type Happening =
  | 'price_changed'
  | 'operation_removed'
  | 'photos_added'
  | 'mistake_corrected'
  | 'mistake_made'
  | 'added'
  | 'withdrawn'
  | 'brought_back'

/** Listings 1 to `count`. Same seed, same catalogue; a shorter one is the beginning of a longer one. */
export function catalogueOf(options: { count: number; seed: number }): Catalogue

/** One tick of the CRM's life, in place; `nowMs` becomes `updated_at` of all it touches and the time of deletion. */
export function changeSome(
  catalogue: Catalogue,
  nowMs: number,
  random: () => number,
): { kind: Happening; key: string }[]
