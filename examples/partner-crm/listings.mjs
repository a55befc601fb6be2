// The catalogue of the sample partner and its life over time. Same seed, same catalogue. Of 100 listings about 85 are
// fine, 8 are drafts for want of photos, 5 break a rule that blocks and 2 another one. Which rule a listing was made to
// break is kept beside it (`breaks`), never in what the feed serves.

import { between, pick, randomOf } from './chance.mjs'
import { BLOCKING, DRAFTING, TOO_FEW_PHOTOS, WITHOUT_AMENITIES } from './mistakes.mjs'
import { OFFERS, soundListing } from './sound-listing.mjs'

const WITHDRAWN_KEPT = 200 // those that may come back

/** By number, not by chance: every mistake occurs in the first 1,000 listings, whatever the seed. */
function mistakeOf(number) {
  const turn = list => list[Math.floor(number / 20) % list.length]
  if (number % 20 === 7) return turn(BLOCKING)
  if (number % 50 === 13) return DRAFTING[Math.floor(number / 50) % DRAFTING.length]
  if (number % 25 === 3 || number % 25 === 16) return turn(TOO_FEW_PHOTOS)
  return number % 17 === 0 ? turn(WITHOUT_AMENITIES) : undefined
}

/**
 * What the CRM holds of a listing: `sound` is it without the mistake, `listing` what the feed serves, `breaks` the codes
 * of the rules it was made to break, `changedMs` when it last changed, whatever its `updated_at` claims.
 */
const entryOf = (key, sound, mistake, changedMs) => ({
  key,
  sound,
  listing: mistake === undefined ? sound : mistake.make(sound),
  breaks: mistake === undefined ? [] : [mistake.code],
  changedMs,
})

function numbered(random, number) {
  const key = `CRM-${String(number).padStart(6, '0')}`
  const mistake = mistakeOf(number)
  let sound = soundListing(random, key)
  while (mistake !== undefined && !mistake.fits(sound)) sound = soundListing(random, key)
  return entryOf(key, sound, mistake, Date.parse(sound.updated_at))
}

/** Listings 1 to `count`: a shorter catalogue of the same seed is the beginning of a longer one. */
export function catalogueOf({ count, seed }) {
  const random = randomOf(seed)
  const entries = Array.from({ length: count }, (_, index) => numbered(random, index + 1))
  return {
    entries: new Map(entries.map(entry => [entry.key, entry])),
    deletions: new Map(),
    withdrawn: [],
    nextNumber: count + 1,
    ticks: 0,
  }
}

const isSound = entry => entry.breaks.length === 0
const hasFewPhotos = entry => entry.breaks.includes('photos_too_few')
// A published listing does not lose its identifier: the contract calls it immutable.
const SLIPS = [...DRAFTING, ...BLOCKING.filter(({ code }) => !code.startsWith('external_id'))]
const slipOf = (random, sound) => pick(random, random() < 0.5 ? TOO_FEW_PHOTOS : SLIPS.filter(slip => slip.fits(sound)))

function repriced(random, listing) {
  const factor = 0.9 + random() * 0.2
  const times = amount => (amount === null ? null : Math.round(amount * factor * 100) / 100)
  const { currency, rent_price, sale_price } = listing.price
  return { ...listing, price: { currency, rent_price: times(rent_price), sale_price: times(sale_price) } }
}

/** The partial deletion of the contract: the rent is withdrawn, the sale stays, so the listing changes and is not deleted. */
const forSaleOnly = listing => ({
  ...listing,
  modality: 'sale',
  title: listing.title.replace(OFFERS.rent_and_sale, OFFERS.sale),
  description: listing.description.replace(OFFERS.rent_and_sale, OFFERS.sale),
  price: { ...listing.price, rent_price: null },
})

const same = (_random, sound) => sound
/** Each way in which a listing changes: the entries it can happen to, and the listing (and mistake) that comes of it. */
const CHANGES = [
  { kind: 'price_changed', weight: 5, can: isSound, sound: repriced },
  {
    kind: 'operation_removed',
    weight: 1,
    can: entry => isSound(entry) && entry.sound.modality === 'rent_and_sale',
    sound: (_random, sound) => forSaleOnly(sound),
  },
  { kind: 'photos_added', weight: 2, can: hasFewPhotos, sound: same },
  { kind: 'mistake_corrected', weight: 2, can: entry => !isSound(entry) && !hasFewPhotos(entry), sound: same },
  { kind: 'mistake_made', weight: 2, can: isSound, sound: same, mistake: slipOf },
].flatMap(change => Array(change.weight).fill(change))

const stamped = (sound, nowMs) => ({ ...sound, updated_at: new Date(nowMs).toISOString() })

function changeOne({ entries }, nowMs, random) {
  const change = pick(random, CHANGES)
  const candidates = [...entries.values()].filter(change.can)
  if (candidates.length === 0) return undefined
  const { key, sound } = pick(random, candidates)
  const after = stamped(change.sound(random, sound), nowMs)
  entries.set(key, entryOf(key, after, change.mistake?.(random, after), nowMs))
  return { kind: change.kind, key }
}

function addOne(catalogue, nowMs, random) {
  const number = catalogue.nextNumber
  catalogue.nextNumber += 1
  const { key, sound } = numbered(random, number)
  const mistake = mistakeOf(number)
  catalogue.entries.set(key, entryOf(key, stamped(sound, nowMs), mistake, nowMs))
  return { kind: 'added', key }
}

function withdrawOne({ entries, deletions, withdrawn }, nowMs, random) {
  const known = [...entries.values()].filter(({ key, listing }) => listing.external_id === key)
  if (known.length === 0) return undefined
  const entry = pick(random, known)
  entries.delete(entry.key)
  deletions.set(entry.key, nowMs)
  withdrawn.push(entry)
  if (withdrawn.length > WITHDRAWN_KEPT) withdrawn.shift()
  return { kind: 'withdrawn', key: entry.key }
}

/** What is back is no longer deleted: the deletion feed tells the state of now, not the history. */
function bringOneBack({ entries, deletions, withdrawn }, nowMs, random) {
  if (withdrawn.length === 0) return undefined
  const [{ key, sound }] = withdrawn.splice(Math.floor(random() * withdrawn.length), 1)
  deletions.delete(key)
  entries.set(key, entryOf(key, stamped(sound, nowMs), undefined, nowMs))
  return { kind: 'brought_back', key }
}

/**
 * One tick of the CRM's life, in place: two to four listings change; every second tick one is withdrawn, now and then two;
 * about as many are new or come back. Four ticks change some 10 listings and withdraw 2 or 3.
 *
 * @param nowMs  becomes `updated_at` of all it touches, and the time of deletion
 * @param random a `randomOf(seed)`
 * @returns      what happened, in order: `{ kind, key }`
 */
export function changeSome(catalogue, nowMs, random) {
  catalogue.ticks += 1
  const times = (count, step) => Array.from({ length: count }, () => step(catalogue, nowMs, random))
  const withdrawals = catalogue.ticks % 2 === 0 ? (random() < 0.2 ? 2 : 1) : 0
  return [
    ...times(between(random, [2, 4]), changeOne),
    ...times(random() < 0.4 ? 1 : 0, addOne),
    ...times(withdrawals, withdrawOne),
    ...times(random() < 0.2 ? 1 : 0, bringOneBack),
  ].filter(event => event !== undefined)
}
