import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { randomOf } from '../../../examples/partner-crm/chance.mjs'
import { catalogueOf, changeSome, type Entry } from '../../../examples/partner-crm/listings.mjs'
import { postalCodesOf } from '../../../processors/validator/postal-codes.ts'
import { propertyAsSent } from '../../../processors/validator/property.ts'
import { ruleBook } from '../../../processors/validator/rules/rule-book.ts'

const LIST = 'data/mx-postal-codes.txt'
const postalCodes = postalCodesOf(readFileSync(new URL(`../../../${LIST}`, import.meta.url), 'utf8'), LIST)
const book = ruleBook({ postalCodes })
const NOW_MS = Date.UTC(2026, 0, 1)
/** What no element that is a JSON object can break. */
const OF_THE_BODY = ['property_unreadable', 'property_not_an_object']

const brokenBy = (listing: object, nowMs: number) =>
  book.reasonsOf(propertyAsSent(JSON.stringify(listing), nowMs)).map(({ code }) => code)

function disagreements(entries: Iterable<Entry>, nowMs: number): readonly object[] {
  return [...entries]
    .map(({ key, breaks, listing, sound }) => ({
      key,
      planted: breaks,
      found: brokenBy(listing, nowMs),
      inSound: brokenBy(sound, nowMs),
    }))
    .filter(({ planted, found, inSound }) => String(planted) !== String(found) || inSound.length > 0)
}

test.each([1, 7])('the rule book finds what was planted and nothing else: seed %i', seed => {
  expect(disagreements(catalogueOf({ count: 1_000, seed }).entries.values(), NOW_MS)).toEqual([])
})

test('and so it does after an hour of changes', () => {
  const catalogue = catalogueOf({ count: 500, seed: 7 })
  const random = randomOf(7)
  const laterMs = NOW_MS + 720 * 5_000
  for (let nowMs = NOW_MS; nowMs < laterMs; nowMs += 5_000) changeSome(catalogue, nowMs, random)
  expect(disagreements(catalogue.entries.values(), laterMs)).toEqual([])
})

test('every rule about a field of a property is broken by one of the first 1,000 listings', () => {
  const planted = new Set([...catalogueOf({ count: 1_000, seed: 1 }).entries.values()].flatMap(({ breaks }) => breaks))
  const codes = book.rules.map(({ code }) => code).filter(code => !OF_THE_BODY.includes(code))
  expect(codes.filter(code => !planted.has(code))).toEqual([])
})
