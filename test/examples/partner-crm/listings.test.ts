import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../examples/partner-crm/chance.mjs'
import { type Catalogue, catalogueOf, changeSome, type Entry } from '../../../examples/partner-crm/listings.mjs'

const BLOCK_CODES = [
  'external_id_missing',
  'external_id_unusable',
  'property_type_unknown',
  'modality_unknown',
  'rent_price_invalid',
  'sale_price_invalid',
  'price_missing',
  'currency_unknown',
  'latitude_invalid',
  'longitude_invalid',
  'street_missing',
  'city_missing',
  'state_missing',
  'postal_code_malformed',
  'contact_name_missing',
  'contact_email_invalid',
  'contact_phone_invalid',
]
const DRAFT_CODES = [
  'price_not_for_modality',
  'location_outside_mexico',
  'state_unknown',
  'postal_code_unknown',
  'postal_code_not_in_state',
  'contact_phone_unlikely',
  'updated_at_invalid',
]
const NOW_MS = Date.UTC(2026, 0, 1)

const entriesOf = (catalogue: Catalogue): readonly Entry[] => [...catalogue.entries.values()]
const generated = (count: number, seed: number) => entriesOf(catalogueOf({ count, seed }))

describe('the catalogue', () => {
  test('same seed, same listings', () => {
    expect(generated(500, 7)).toEqual(generated(500, 7))
  })

  test('another seed, other listings', () => {
    const [one, other] = [generated(20, 7), generated(20, 8)].map(entries => entries.map(entry => entry.sound.price))
    expect(one).not.toEqual(other)
  })

  test('a short catalogue is the beginning of a long one', () => {
    expect(generated(1_000, 7).slice(0, 100)).toEqual(generated(100, 7))
  })

  describe.each([1, 7])('seed %i', seed => {
    const entries = generated(1_000, seed)
    const broken = (codes: readonly string[]) =>
      entries.filter(({ breaks }) => breaks.some(code => codes.includes(code)))

    test.each([...BLOCK_CODES, ...DRAFT_CODES, 'photos_too_few', 'amenities_missing'])('%s is planted', code => {
      expect(broken([code]).length).toBeGreaterThan(0)
    })

    test('85 of 100 are fine, 8 lack photos, 5 are blocked, 2 are drafts for another reason', () => {
      const counts = [BLOCK_CODES, DRAFT_CODES, ['photos_too_few']].map(codes => broken(codes).length)
      expect(counts).toEqual([50, 20, 80])
    })

    test('a listing weighs about 1 KB', () => {
      const bytes = entries.reduce((sum, { listing }) => sum + Buffer.byteLength(JSON.stringify(listing)), 0)
      expect(bytes / entries.length).toBeGreaterThan(900)
      expect(bytes / entries.length).toBeLessThan(1_300)
    })

    test('a listing without mistake is served as it is', () => {
      const fine = entries.filter(({ breaks }) => breaks.length === 0)
      expect(fine.every(({ listing, sound }) => Object.is(listing, sound))).toBe(true)
    })

    test('a listing with a mistake differs from its sound self', () => {
      const wrong = entries.filter(({ breaks }) => breaks.length > 0)
      expect(wrong.filter(({ listing, sound }) => JSON.stringify(listing) === JSON.stringify(sound))).toEqual([])
    })

    test('the oracle is not in what is served', () => {
      expect(entries.filter(({ listing }) => /breaks|sound|changedMs/.test(JSON.stringify(listing)))).toEqual([])
    })

    test('identifiers are unique, and those of sound listings are the keys of the catalogue', () => {
      expect(new Set(entries.map(({ sound }) => sound.external_id)).size).toBe(1_000)
      expect(entries.every(({ key, sound }) => sound.external_id === key)).toBe(true)
    })

    test('changes lie in the past and are what updated_at says', () => {
      expect(entries.every(({ changedMs, sound }) => changedMs === Date.parse(sound.updated_at))).toBe(true)
      expect(Math.max(...entries.map(({ changedMs }) => changedMs))).toBeLessThan(Date.UTC(2025, 6, 1))
    })
  })
})

/** `ticks` ticks of 5 s from NOW_MS, with what `look` sees after each. */
function live(
  catalogue: Catalogue,
  ticks: number,
  look: (events: ReturnType<typeof changeSome>, nowMs: number) => void,
) {
  const random = randomOf(11)
  for (let tick = 1; tick <= ticks; tick += 1) {
    const nowMs = NOW_MS + tick * 5_000
    look(changeSome(catalogue, nowMs, random), nowMs)
  }
}

describe('its life over time', () => {
  test('same seed, same life', () => {
    const [one, other] = [1, 2].map(() => {
      const catalogue = catalogueOf({ count: 300, seed: 7 })
      live(catalogue, 100, () => {})
      return [entriesOf(catalogue), [...catalogue.deletions]]
    })
    expect(one).toEqual(other)
  })

  test('a cycle of four ticks sees 5 to 20 changes and 1 to 4 withdrawals, and the catalogue keeps its size', () => {
    const catalogue = catalogueOf({ count: 1_000, seed: 7 })
    const events: string[][] = []
    live(catalogue, 2_000, happened => events.push(happened.map(({ kind }) => kind)))
    const cycles = Array.from({ length: 500 }, (_, index) => events.slice(index * 4, index * 4 + 4).flat())
    const withdrawals = cycles.map(kinds => kinds.filter(kind => kind === 'withdrawn').length)
    const changes = cycles.map((kinds, index) => kinds.length - (withdrawals[index] ?? 0))
    expect([Math.min(...changes) >= 5, Math.max(...changes) <= 22]).toEqual([true, true])
    expect([Math.min(...withdrawals) >= 1, Math.max(...withdrawals) <= 4]).toEqual([true, true])
    expect(Math.abs(catalogue.entries.size - 1_000)).toBeLessThan(150)
  })

  test('each kind of change happens, and leaves the catalogue as its name says', () => {
    const catalogue = catalogueOf({ count: 400, seed: 7 })
    let before = new Map(catalogue.entries)
    const seen = new Set<string>()
    live(catalogue, 300, (events, nowMs) => {
      // An entry that two events of one tick touched tells of the second only.
      const keys = events.map(({ key }) => key)
      for (const { kind, key } of events.filter(event => keys.filter(other => other === event.key).length === 1)) {
        seen.add(kind)
        const [was, is] = [before.get(key), catalogue.entries.get(key)]
        expect({ kind, key, ...outcome(kind, was, is) }).toEqual({ kind, key, asNamed: true })
        if (is !== undefined)
          expect([is.changedMs, is.sound.updated_at]).toEqual([nowMs, new Date(nowMs).toISOString()])
        expect(catalogue.deletions.get(key)).toBe(kind === 'withdrawn' ? nowMs : undefined)
      }
      before = new Map(catalogue.entries)
    })
    expect([...seen].sort()).toEqual([
      'added',
      'brought_back',
      'mistake_corrected',
      'mistake_made',
      'operation_removed',
      'photos_added',
      'price_changed',
      'withdrawn',
    ])
  })

  test('an entry is replaced and never written to: pages of a running crawl may still hold it', () => {
    const catalogue = catalogueOf({ count: 50, seed: 7 })
    const held = entriesOf(catalogue)
    const copies = structuredClone(held)
    live(catalogue, 200, () => {})
    expect(held).toEqual(copies)
  })

  test('an empty catalogue lives on', () => {
    const catalogue = catalogueOf({ count: 0, seed: 7 })
    live(catalogue, 20, () => {})
    expect(catalogue.ticks).toBe(20)
  })
})

function outcome(kind: string, was: Entry | undefined, is: Entry | undefined): { asNamed: boolean } {
  switch (kind) {
    case 'price_changed':
      return { asNamed: is?.breaks.length === 0 && is.sound.modality === was?.sound.modality }
    case 'operation_removed': // contract 1, partial deletion: the listing changes and is not reported as deleted
      return {
        asNamed:
          was?.sound.modality === 'rent_and_sale' &&
          is?.sound.modality === 'sale' &&
          is.sound.price.rent_price === null &&
          is.sound.price.sale_price === was.sound.price.sale_price,
      }
    case 'photos_added':
      return { asNamed: was?.breaks[0] === 'photos_too_few' && is?.breaks.length === 0 && is.sound.photos.length >= 3 }
    case 'mistake_corrected':
      return { asNamed: was?.breaks.length === 1 && is?.breaks.length === 0 }
    case 'mistake_made':
      return {
        asNamed: was?.breaks.length === 0 && is?.breaks.length === 1 && !is.breaks[0]?.startsWith('external_id'),
      }
    case 'withdrawn':
      return { asNamed: was !== undefined && is === undefined }
    default:
      return { asNamed: was === undefined && is !== undefined }
  }
}
