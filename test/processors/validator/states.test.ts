import { describe, expect, test } from 'vitest'
import { STATES, stateNamed, stateOfPostalCode } from '../../../processors/validator/states.ts'

test('there are 32 states, each with a name of its own', () => {
  expect(new Set(STATES.map(({ name }) => name)).size).toBe(32)
})

describe('stateNamed', () => {
  test.each(STATES.flatMap(({ name, aliases }) => [name, ...aliases].map(spelling => [spelling, name])))(
    '%s is %s, also in capitals and without accents',
    (spelling, name) => {
      const plain = spelling.normalize('NFD').replace(/\p{M}/gu, '')
      expect([spelling, plain, plain.toUpperCase(), ` ${plain.toLowerCase()}. `].map(stateNamed)).toEqual(
        Array(4).fill(name),
      )
    },
  )

  test.each([
    ['CIUDAD DE MÉXICO', 'Ciudad de México'],
    ['México, D.F.', 'Ciudad de México'],
    ['D. F.', 'Ciudad de México'],
    ['México', 'Estado de México'],
    ['Estado de México', 'Estado de México'],
    ['Edo. de Méx.', 'Estado de México'],
    ['Estado de Jalisco', 'Jalisco'],
    ['Edo. de Morelos', 'Morelos'],
    ['q. roo', 'Quintana Roo'],
    ['N.L.', 'Nuevo León'],
    ['Nuevo Leo\u0301n', 'Nuevo León'],
    ['san luis potosi', 'San Luis Potosí'],
    ['Michoacán de Ocampo', 'Michoacán'],
    ['Veracruz de Ignacio de la Llave', 'Veracruz'],
    ['Baja California', 'Baja California'],
    ['Baja California Sur', 'Baja California Sur'],
  ])('%s is %s', (text, name) => {
    expect(stateNamed(text)).toBe(name)
  })

  test.each([
    '',
    ' ',
    'Texas',
    'Monterrey',
    'Jalisco Jalisco',
    'constructor',
    '__proto__',
    'Estado de',
    'Nuevo Estado de León',
    '12',
  ])('%j is none', text => {
    expect(stateNamed(text)).toBeUndefined()
  })

  test('longer text than any state’s name is none', () => {
    expect(stateNamed(`Jalisco${' '.repeat(53)}`)).toBe('Jalisco')
    expect(stateNamed(`Jalisco${' '.repeat(54)}`)).toBeUndefined()
  })
})

describe('stateOfPostalCode', () => {
  test.each([
    ['01000', 'Ciudad de México'],
    ['16999', 'Ciudad de México'],
    ['20000', 'Aguascalientes'],
    ['22999', 'Baja California'],
    ['23000', 'Baja California Sur'],
    ['24000', 'Campeche'],
    ['27999', 'Coahuila'],
    ['28000', 'Colima'],
    ['30999', 'Chiapas'],
    ['33000', 'Chihuahua'],
    ['35000', 'Durango'],
    ['38000', 'Guanajuato'],
    ['41000', 'Guerrero'],
    ['43000', 'Hidalgo'],
    ['49000', 'Jalisco'],
    ['50000', 'Estado de México'],
    ['57000', 'Estado de México'],
    ['61000', 'Michoacán'],
    ['62000', 'Morelos'],
    ['63000', 'Nayarit'],
    ['67000', 'Nuevo León'],
    ['71000', 'Oaxaca'],
    ['75000', 'Puebla'],
    ['76000', 'Querétaro'],
    ['77000', 'Quintana Roo'],
    ['79000', 'San Luis Potosí'],
    ['82000', 'Sinaloa'],
    ['85000', 'Sonora'],
    ['86000', 'Tabasco'],
    ['89000', 'Tamaulipas'],
    ['90000', 'Tlaxcala'],
    ['96000', 'Veracruz'],
    ['97000', 'Yucatán'],
    ['99999', 'Zacatecas'],
  ])('%s lies in %s', (code, name) => {
    expect(stateOfPostalCode(code)).toBe(name)
  })

  test('96 prefixes are in use, all but 00 and 17 to 19', () => {
    const prefixes = Array.from({ length: 100 }, (_, prefix) => String(prefix).padStart(2, '0'))
    expect(prefixes.filter(prefix => stateOfPostalCode(`${prefix}000`) === undefined)).toEqual(['00', '17', '18', '19'])
  })
})
