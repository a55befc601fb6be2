/**
 * Makes data/mx-postal-codes.txt from a CSV derived from GeoNames (columns postal_code and state, in that order first):
 *   node data/make-postal-codes.ts FILE.csv
 * Run by hand when the data set is renewed. Stops where a code's state is not the one its prefix belongs to.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { stateNamed, stateOfPostalCode } from '../processors/validator/states.ts'
import { SHIPPED_LIST } from './postal-codes.ts'

const HEAD = `# Mexican postal codes. Source: GeoNames (https://www.geonames.org), CC BY 4.0, reduced to the codes alone.
# One code per line, ascending. See README.md.
`

const [source] = process.argv.slice(2)
if (source === undefined) throw new Error('name the CSV file: node data/make-postal-codes.ts FILE.csv')

const codes = new Set<string>()
for (const line of readFileSync(source, 'utf8').trim().split('\n').slice(1)) {
  const [code = '', state = ''] = line.split(',')
  if (!/^\d{5}$/.test(code) || stateNamed(state) === undefined || stateNamed(state) !== stateOfPostalCode(code)) {
    throw new Error(`not a code of its state: ${line}`)
  }
  codes.add(code)
}
writeFileSync(SHIPPED_LIST, `${HEAD}${[...codes].sort().join('\n')}\n`)
console.log(`${codes.size} postal codes`)
