import { describe, expect, test } from 'vitest'
import { codesFor, onlyReason } from '../verdicts.ts'

const URLS = [
  'https://cdn.example/1.jpg',
  'http://cdn.example/2.jpg',
  'HTTPS://CDN.example/3.jpg?w=1#a',
  'https://cdn.example/4',
]
const FEW = ['photos_too_few']

describe('photos_too_few (contract 2.1, 8)', () => {
  test.each<{ name: string; photos: unknown; codes: readonly string[] }>([
    { name: 'three are enough', photos: URLS.slice(0, 3), codes: [] },
    { name: 'four are', photos: URLS, codes: [] },
    { name: 'a bad one beside three good ones is left out', photos: [...URLS.slice(0, 3), 'x', null], codes: [] },
    {
      name: 'letters of any script in the path',
      photos: [...URLS.slice(0, 2), 'https://cdn.example/ñandú 📷.jpg'.replace(' ', '-')],
      codes: [],
    },
    { name: 'two are too few', photos: URLS.slice(0, 2), codes: FEW },
    { name: 'two, one of them twice', photos: [URLS[0], URLS[1], URLS[0]], codes: FEW },
    { name: 'none', photos: [], codes: FEW },
    { name: 'absent', photos: undefined, codes: FEW },
    { name: 'null', photos: null, codes: FEW },
    { name: 'text', photos: URLS.join(), codes: FEW },
    { name: 'an object', photos: { 0: URLS[0], 1: URLS[1], 2: URLS[2], length: 3 }, codes: FEW },
    { name: 'objects', photos: URLS.map(url => ({ url })), codes: FEW },
    { name: 'another scheme', photos: [URLS[0], URLS[1], 'ftp://cdn.example/3.jpg'], codes: FEW },
    { name: 'data', photos: [URLS[0], URLS[1], 'data:image/png;base64,AAAA'], codes: FEW },
    { name: 'no scheme', photos: [URLS[0], URLS[1], '//cdn.example/3.jpg'], codes: FEW },
    { name: 'text before it', photos: [URLS[0], URLS[1], 'x https://cdn.example/3.jpg'], codes: FEW },
    { name: 'no host', photos: [URLS[0], URLS[1], 'https:///3.jpg'], codes: FEW },
    { name: 'nothing behind the scheme', photos: [URLS[0], URLS[1], 'https://'], codes: FEW },
    { name: 'a query for a host', photos: [URLS[0], URLS[1], 'https://?a'], codes: FEW },
    { name: 'a blank inside', photos: [URLS[0], URLS[1], 'https://cdn.example/a b.jpg'], codes: FEW },
    { name: 'a line break behind it', photos: [URLS[0], URLS[1], 'https://cdn.example/3.jpg\n'], codes: FEW },
    { name: 'half a character', photos: [URLS[0], URLS[1], 'https://cdn.example/\udc00'], codes: FEW },
  ])('$name', ({ photos, codes }) => {
    expect(codesFor({ photos })).toEqual(codes)
  })

  test.each([
    { name: 'none', photos: [], es: 'photos tiene 0 fotos. Envíe', en: 'photos has 0 photos. Send' },
    { name: 'one', photos: [URLS[0]], es: 'photos tiene 1 foto. Envíe', en: 'photos has 1 photo. Send' },
    { name: 'two', photos: URLS.slice(0, 2), es: 'photos tiene 2 fotos. Envíe', en: 'photos has 2 photos. Send' },
    {
      name: 'one that counts of three',
      photos: [URLS[0], URLS[0], 'x'],
      es: 'photos tiene 1 foto (de 3 elementos, 2 no se cuentan',
      en: 'photos has 1 photo (of 3 elements 2 do not count',
    },
    {
      name: 'text',
      photos: 'x',
      es: 'photos llegó como texto. Envíe una lista',
      en: 'photos came as text. Send a list',
    },
    { name: 'absent', photos: undefined, es: 'photos no llegó. Envíe una lista', en: 'photos is missing. Send a list' },
  ])('the message counts: $name', ({ photos, es, en }) => {
    const { message_es, message_en } = onlyReason({ photos })
    expect(message_es.startsWith(es)).toBe(true)
    expect(message_en.startsWith(en)).toBe(true)
    expect(message_es).toContain('al menos 3')
    expect(message_en).toContain('at least 3')
  })
})

describe('amenities_missing (contract 1.4)', () => {
  const MISSING = ['amenities_missing']

  test.each<{ name: string; amenities: unknown; codes: readonly string[] }>([
    { name: 'one is enough', amenities: ['elevador'], codes: [] },
    { name: 'an object with a name counts', amenities: [{ name: 'elevador' }], codes: [] },
    { name: 'one good one is enough', amenities: [null, '', 'elevador'], codes: [] },
    { name: 'none', amenities: [], codes: MISSING },
    { name: 'absent', amenities: undefined, codes: MISSING },
    { name: 'null', amenities: null, codes: MISSING },
    { name: 'text', amenities: 'elevador, andén', codes: MISSING },
    { name: 'an object', amenities: { elevador: true }, codes: MISSING },
    { name: 'blanks alone', amenities: ['', ' ', '\u200b'], codes: MISSING },
    { name: 'numbers alone', amenities: [1, 2], codes: MISSING },
    { name: 'objects without a name', amenities: [{ label: 'elevador' }, { name: 7 }, ['elevador']], codes: MISSING },
  ])('$name', ({ amenities, codes }) => {
    expect(codesFor({ amenities })).toEqual(codes)
  })

  test('it is a warning and holds nothing back', () => {
    expect(onlyReason({ amenities: [] }).severity).toBe('WARN')
  })

  test.each([
    { amenities: [], es: 'amenities no tiene ninguna amenidad legible.', en: 'amenities holds no readable amenity.' },
    { amenities: 'elevador', es: 'amenities llegó como texto.', en: 'amenities came as text.' },
    { amenities: undefined, es: 'amenities no llegó.', en: 'amenities is missing.' },
  ])('the message says what was found: $amenities', ({ amenities, es, en }) => {
    expect(onlyReason({ amenities }).message_es.startsWith(es)).toBe(true)
    expect(onlyReason({ amenities }).message_en.startsWith(en)).toBe(true)
  })
})
