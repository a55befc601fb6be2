import { expect, test } from 'vitest'
import { entries, listing, listings } from './listings.ts'

test('overrides are merged into objects and replace everything else', () => {
  const changed = listing({ price: { rent_price: '25,000' }, photos: [], title: null })
  expect(changed).toEqual({
    ...listing(),
    price: { ...listing().price, rent_price: '25,000' },
    photos: [],
    title: null,
  })
})

test('undefined leaves a field out', () => {
  const changed = listing({ external_id: undefined, contact: { phone: undefined } })
  expect(changed).not.toHaveProperty('external_id')
  expect(changed.contact).not.toHaveProperty('phone')
  expect(changed.contact).toHaveProperty('email')
})

test('each listing is its own: changing one leaves the next as it was', () => {
  listing().photos.push('more')
  listing({ title: 'x' }).location.city = 'elsewhere'
  expect(listing().photos).toHaveLength(3)
  expect(listing().location.city).toBe('Ciudad de México')
})

test('many are those of the sample partner, beside their oracle', () => {
  expect(listings(40, 5)).toEqual(entries(40, 5).map(entry => entry.listing))
  expect(entries(40, 5).flatMap(({ breaks }) => breaks)).toContain('photos_too_few')
})
