/** The 32 states of Mexico: names, usual aliases and the two-digit postal prefixes that belong to each. */
export interface State {
  readonly name: string
  /** First and last prefix. In SEPOMEX and GeoNames alike the first two digits fix the state; 00 and 17 to 19 are unused. */
  readonly prefixes: readonly [number, number]
  readonly aliases: readonly string[]
}

export const STATES: readonly State[] = [
  { name: 'Aguascalientes', prefixes: [20, 20], aliases: ['Ags'] },
  { name: 'Baja California', prefixes: [21, 22], aliases: ['BC', 'BCN', 'Baja California Norte'] },
  { name: 'Baja California Sur', prefixes: [23, 23], aliases: ['BCS'] },
  { name: 'Campeche', prefixes: [24, 24], aliases: ['Camp'] },
  { name: 'Chiapas', prefixes: [29, 30], aliases: ['Chis'] },
  { name: 'Chihuahua', prefixes: [31, 33], aliases: ['Chih'] },
  {
    name: 'Ciudad de México',
    prefixes: [1, 16],
    aliases: ['CDMX', 'Cd. de México', 'DF', 'Distrito Federal', 'México DF', 'México Distrito Federal', 'Mexico City'],
  },
  { name: 'Coahuila', prefixes: [25, 27], aliases: ['Coah', 'Coahuila de Zaragoza'] },
  { name: 'Colima', prefixes: [28, 28], aliases: ['Col'] },
  { name: 'Durango', prefixes: [34, 35], aliases: ['Dgo'] },
  { name: 'Estado de México', prefixes: [50, 57], aliases: ['México', 'Méx', 'Edomex', 'Edo. Méx.'] },
  { name: 'Guanajuato', prefixes: [36, 38], aliases: ['Gto'] },
  { name: 'Guerrero', prefixes: [39, 41], aliases: ['Gro'] },
  { name: 'Hidalgo', prefixes: [42, 43], aliases: ['Hgo'] },
  { name: 'Jalisco', prefixes: [44, 49], aliases: ['Jal'] },
  { name: 'Michoacán', prefixes: [58, 61], aliases: ['Mich', 'Michoacán de Ocampo'] },
  { name: 'Morelos', prefixes: [62, 62], aliases: ['Mor'] },
  { name: 'Nayarit', prefixes: [63, 63], aliases: ['Nay'] },
  { name: 'Nuevo León', prefixes: [64, 67], aliases: ['NL'] },
  { name: 'Oaxaca', prefixes: [68, 71], aliases: ['Oax', 'Oaxaca de Juárez'] },
  { name: 'Puebla', prefixes: [72, 75], aliases: ['Pue'] },
  { name: 'Querétaro', prefixes: [76, 76], aliases: ['Qro', 'Querétaro de Arteaga'] },
  { name: 'Quintana Roo', prefixes: [77, 77], aliases: ['QR', 'Q. Roo', 'Qroo'] },
  { name: 'San Luis Potosí', prefixes: [78, 79], aliases: ['SLP'] },
  { name: 'Sinaloa', prefixes: [80, 82], aliases: ['Sin'] },
  { name: 'Sonora', prefixes: [83, 85], aliases: ['Son'] },
  { name: 'Tabasco', prefixes: [86, 86], aliases: ['Tab'] },
  { name: 'Tamaulipas', prefixes: [87, 89], aliases: ['Tamps'] },
  { name: 'Tlaxcala', prefixes: [90, 90], aliases: ['Tlax'] },
  {
    name: 'Veracruz',
    prefixes: [91, 96],
    aliases: ['Ver', 'Veracruz-Llave', 'Veracruz de Ignacio de la Llave'],
  },
  { name: 'Yucatán', prefixes: [97, 97], aliases: ['Yuc'] },
  { name: 'Zacatecas', prefixes: [98, 99], aliases: ['Zac'] },
]

/** Longer text is no state's name; folding it would cost time for nothing. */
const LONGEST_NAME = 60

const byFoldedName = new Map<string, string>()
/** Names as people write them, so that folding is needed for the unusual spellings alone. */
const byName = new Map<string, string>()
for (const { name, aliases } of STATES) {
  for (const spelling of [name, ...aliases]) {
    byName.set(spelling, name)
    byFoldedName.set(foldedLetters(spelling), name)
  }
}

/** @returns the name in STATES; accents, case, blanks and points do not count: `q. roo`, `NUEVO LEON`, `Edo. de Morelos` */
export function stateNamed(text: string): string | undefined {
  const name = byName.get(text)
  if (name !== undefined || text.length > LONGEST_NAME) return name
  const folded = foldedLetters(text)
  return byFoldedName.get(folded) ?? byFoldedName.get(folded.replace(/^(?:estado|edo)de/, ''))
}

function foldedLetters(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

const byPrefix: (string | undefined)[] = []
for (const { name, prefixes } of STATES) {
  for (let prefix = prefixes[0]; prefix <= prefixes[1]; prefix += 1) byPrefix[prefix] = name
}

/** @param postalCode five digits */
export function stateOfPostalCode(postalCode: string): string | undefined {
  return byPrefix[Number(postalCode.slice(0, 2))]
}
