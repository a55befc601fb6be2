import { describe, expect, test } from 'vitest'
import { codesFor, onlyReason } from '../verdicts.ts'

describe('external_id (contract 2.1, assumption A12)', () => {
  test.each([
    { name: 'text is fine', external_id: 'CRM-1', codes: [] },
    { name: 'text of 255 bytes is fine', external_id: 'x'.repeat(255), codes: [] },
    { name: '127 letters of two bytes are fine', external_id: 'ñ'.repeat(127), codes: [] },
    { name: 'accents and slashes are fine', external_id: 'León/7 á', codes: [] },
    { name: 'absent', external_id: undefined, codes: ['external_id_missing'] },
    { name: 'null', external_id: null, codes: ['external_id_missing'] },
    { name: 'empty', external_id: '', codes: ['external_id_missing'] },
    { name: 'a number', external_id: 4711, codes: ['external_id_missing'] },
    { name: 'a list', external_id: ['CRM-1'], codes: ['external_id_missing'] },
    { name: 'an object', external_id: { id: 1 }, codes: ['external_id_missing'] },
    { name: '256 bytes', external_id: 'x'.repeat(256), codes: ['external_id_unusable'] },
    { name: '128 letters of two bytes', external_id: 'ñ'.repeat(128), codes: ['external_id_unusable'] },
    { name: 'a line break', external_id: 'CRM\n1', codes: ['external_id_unusable'] },
    { name: 'half a character', external_id: 'CRM-\ud800', codes: ['external_id_unusable'] },
  ])('$name -> $codes', ({ external_id, codes }) => {
    expect(codesFor({ external_id })).toEqual(codes)
  })

  test.each([
    { name: 'too long', external_id: 'x'.repeat(256), es: /demasiado largo.*255/, en: /too long.*255/ },
    { name: 'control at full length', external_id: `${'x'.repeat(254)}\n`, es: /no se pueden leer/, en: /control/ },
    {
      name: 'control characters',
      external_id: 'a\tb',
      es: /caracteres que no se pueden leer/,
      en: /control characters/,
    },
    { name: 'empty', external_id: '', es: /external_id está vacío/, en: /external_id is empty/ },
    { name: 'absent', external_id: undefined, es: /external_id no llegó/, en: /external_id is missing/ },
    { name: 'a number', external_id: 7, es: /llegó como número/, en: /came as a number/ },
    { name: 'true', external_id: true, es: /llegó como booleano/, en: /came as a boolean/ },
    { name: 'null', external_id: null, es: /llegó como null/, en: /came as null/ },
    { name: 'a list', external_id: [], es: /llegó como lista/, en: /came as a list/ },
    { name: 'an object', external_id: {}, es: /llegó como objeto/, en: /came as an object/ },
  ])('says what was found: $name', ({ external_id, es, en }) => {
    const reason = onlyReason({ external_id })
    expect(reason.message_es).toMatch(es)
    expect(reason.message_en).toMatch(en)
  })
})

describe('property_type_unknown (contract 1.7, 1.8, 2.1)', () => {
  test.each(['office', 'retail', 'industrial', 'terrain'])('%s is a family', property_type => {
    expect(codesFor({ property_type })).toEqual([])
  })

  test.each([undefined, null, '', ' ', 4, true, ['office'], { family: 'office' }, 'OFFICE', ' office', 'offices'])(
    '%j is none',
    property_type => {
      expect(codesFor({ property_type })).toEqual(['property_type_unknown'])
    },
  )

  test.each([
    ['OFFICE', 'office'],
    [' retail ', 'retail'],
    ['Oficina', 'office'],
    ['edificio', 'office'],
    ['Edificio de oficinas', 'office'],
    ['consultorios', 'office'],
    ['building', 'office'],
    ['local', 'retail'],
    ['Local Comercial', 'retail'],
    ['plaza comercial', 'retail'],
    ['shopping_center_unit', 'retail'],
    ['bodega', 'industrial'],
    ['Nave Industrial', 'industrial'],
    ['edificio industrial', 'industrial'],
    ['industrial_building', 'industrial'],
    ['warehouse', 'industrial'],
    ['Almacén', 'industrial'],
    ['terreno', 'terrain'],
    ['Terreno industrial', 'terrain'],
    ['LOTE', 'terrain'],
    ['land', 'terrain'],
  ])('%s: the message names %s', (property_type, family) => {
    const { message_es, message_en } = onlyReason({ property_type })
    expect(message_es).toContain(`"${family}"`)
    expect(message_en).toContain(`"${family}"`)
    expect(message_es).not.toContain('residenciales')
  })

  test('only the spelling is wrong: asks for that and speaks of no subtype', () => {
    expect(onlyReason({ property_type: 'Office' }).message_es).toMatch(/exactamente "office"/)
    expect(onlyReason({ property_type: 'oficina' }).message_es).toMatch(/subtipo/)
  })

  test.each(['casa', 'Casas', 'departamento', 'Departamento en venta', 'house', 'apartment', 'terreno residencial'])(
    '%s: the message says that homes are not published',
    property_type => {
      const { message_es, message_en } = onlyReason({ property_type })
      expect(message_es).toMatch(/residenciales no se publican/)
      expect(message_en).toMatch(/residential properties are not published/)
    },
  )

  test.each(['yate', 'warehousing99', '123', '?'])('%s: the message names all four', property_type => {
    const { message_es, message_en } = onlyReason({ property_type })
    for (const family of ['office', 'retail', 'industrial', 'terrain']) {
      expect(message_es).toContain(family)
      expect(message_en).toContain(family)
    }
  })

  test('a number: the message says so', () => {
    expect(onlyReason({ property_type: 3 }).message_es).toMatch(
      /llegó como número.*office, retail, industrial o terrain/,
    )
  })
})

describe('modality_unknown (contract 2.1)', () => {
  test.each(['rent', 'sale', 'rent_and_sale'])('%s is a modality', modality => {
    expect(codesFor({ modality })).toEqual([])
  })

  test.each([undefined, null, '', 1, ['rent', 'sale'], 'Rent', 'rent ', 'rent and sale', 'rent,sale'])(
    '%j is none',
    modality => {
      expect(codesFor({ modality })).toEqual(['modality_unknown'])
    },
  )

  test.each([
    ['renta', 'rent'],
    ['Alquiler', 'rent'],
    ['lease', 'rent'],
    ['RENT', 'rent'],
    ['venta', 'sale'],
    ['for_sale', 'sale'],
    ['En venta', 'sale'],
    ['sale_and_rent', 'rent_and_sale'],
    ['venta/renta', 'rent_and_sale'],
  ])('%s: the message names %s', (modality, meant) => {
    const { message_es, message_en } = onlyReason({ modality })
    expect(message_es).toContain(`exactamente "${meant}"`)
    expect(message_en).toContain(`exactly "${meant}"`)
  })

  test.each(['traspaso', ''])('%j: the message names all three', modality => {
    expect(onlyReason({ modality }).message_es).toMatch(/rent \(renta\), sale \(venta\) o rent_and_sale/)
    expect(onlyReason({ modality }).message_en).toMatch(/must be rent, sale or rent_and_sale/)
  })

  test('a list: the message says so', () => {
    expect(onlyReason({ modality: ['rent', 'sale'] }).message_es).toMatch(/llegó como lista/)
  })
})
