import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validatorOf } from '../../../processors/validator/stage.ts'
import { avroType } from '../../../schemas/avro.ts'
import type { RawProperty } from '../../../schemas/records/raw-property.ts'
import { listing } from '../../support/listings.ts'
import { anyText, BOOK, rawProperty } from './verdicts.ts'

const validate = validatorOf(BOOK)
const LISTING = avroType('listing')
const REJECTION = avroType('rejection')

/** Values that partners send where something else belongs, besides any JSON at all. */
const oddValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    null,
    '',
    ' ',
    '0',
    0,
    -0,
    -1,
    1e21,
    1e-7,
    5e-324,
    true,
    [],
    {},
    '\u0000',
    'x'.repeat(300),
    '__proto__',
  ),
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const FIELDS = [
  'external_id',
  'property_type',
  'modality',
  'updated_at',
  'photos',
  'amenities',
  'price',
  'price/currency',
  'price/rent_price',
  'price/sale_price',
  'location',
  'location/latitude',
  'location/longitude',
  'location/street',
  'location/city',
  'location/state',
  'location/postal_code',
  'contact',
  'contact/name',
  'contact/email',
  'contact/phone',
]

/** A good listing with some fields replaced or left out. */
const mutated = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS), fc.option(oddValue, { nil: undefined })), { minLength: 1, maxLength: 4 })
  .map(changes => {
    const sent = listing() as unknown as Record<string, unknown>
    for (const [path, value] of changes) {
      const [first = '', second] = path.split('/')
      const parent = sent[first]
      if (second === undefined) sent[first] = value
      else if (typeof parent === 'object' && parent !== null) (parent as Record<string, unknown>)[second] = value
    }
    return JSON.stringify(sent)
  })

/** Never a throw, one route, encodes and reads back the same, and the same again the second time. */
function expectSound(raw: RawProperty): void {
  const verdict = validate(raw)
  expect(validate(raw)).toEqual(verdict)
  const { reasons } = verdict.route === 'rejected' ? verdict.rejection : verdict.listing
  expect(reasons.some(({ severity }) => severity === 'BLOCK')).toBe(verdict.route === 'rejected')
  expect(reasons.some(({ severity }) => severity === 'DRAFT') || verdict.route !== 'draft').toBe(true)
  expect(new Set(reasons.map(({ code }) => code)).size).toBe(reasons.length)
  const [type, record] = verdict.route === 'rejected' ? [REJECTION, verdict.rejection] : [LISTING, verdict.listing]
  // Well-formed text alone survives UTF-8, so this fails for a lone surrogate anywhere.
  expect({ ...type.fromBuffer(type.toBuffer(record)) }).toEqual(record)
}

describe('whatever a partner sends (fast-check)', () => {
  test('any JSON value', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 4 }), body => expectSound(rawProperty(body))))
  })

  test('any text', () => {
    fc.assert(fc.property(anyText, body => expectSound(rawProperty(body.toWellFormed()))))
  })

  test('a good listing with odd values in some places', () => {
    fc.assert(
      fc.property(mutated, body => expectSound(rawProperty(body))),
      { numRuns: 1_000 },
    )
  })

  test('a good listing with odd texts where texts belong is stored with well-formed text', () => {
    fc.assert(
      fc.property(anyText, text => {
        const changes = {
          location: { street: `a${text}`, city: `b${text}` },
          contact: { name: `c${text}` },
          amenities: [`d${text}`],
        }
        expectSound(rawProperty(JSON.stringify(listing(changes))))
        expect(validate(rawProperty(JSON.stringify(listing(changes)))).route).toBe('accepted')
      }),
    )
  })

  test('no contact data in any message', () => {
    const contact = fc.record({
      name: fc.constantFrom('', 'Zutano Zutánez', 7_654_321),
      email: fc.constantFrom('zutano', 'zutano@zutano', 'zutano@zutano.example', 'zu tano@zutano.mx'),
      phone: fc.constantFrom('7654321', '52 1 00 7654 321', '7654321 zutano', 'zutano', 7_654_321, '+99 7654321'),
    })
    fc.assert(
      fc.property(contact, oddValue, (sent, photos) => {
        const body = JSON.stringify(listing({ contact: sent, photos: JSON.parse(JSON.stringify(photos)) }))
        const verdict = validate(rawProperty(body))
        const { reasons } = verdict.route === 'rejected' ? verdict.rejection : verdict.listing
        expect(reasons.map(({ message_es, message_en }) => message_es + message_en).join()).not.toMatch(
          /zut|tano|7654|4321/i,
        )
      }),
    )
  })
})
