import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { avroType, schemaText } from '../../schemas/avro.ts'
import { NO_BASE, sampleCycleReport } from '../../schemas/records/cycle-report.ts'
import { sampleRawProperty } from '../../schemas/records/raw-property.ts'
import { CYCLES_TOPIC, type SchemaName, TOPICS } from '../../schemas/topology.ts'

const NAMES = readdirSync(new URL('../../schemas/records/', import.meta.url))
  .filter(file => file.endsWith('.avsc'))
  .map(file => file.slice(0, -'.avsc'.length) as SchemaName)

/** The one `sample...` that stands beside each schema. */
const SAMPLES = Object.fromEntries(
  await Promise.all(
    NAMES.map(async name => {
      const module = (await import(`../../schemas/records/${name}.ts`)) as Readonly<Record<string, object>>
      return [name, Object.entries(module).find(([key]) => key.startsWith('sample'))![1]] as const
    }),
  ),
) as Readonly<Record<SchemaName, object>>

interface Field {
  readonly name: string
  readonly type: unknown
  readonly default?: unknown
}
const fieldsOf = (name: SchemaName): readonly Field[] => JSON.parse(schemaText(name)).fields
const isNullable = ({ type }: Field): boolean => Array.isArray(type) && type[0] === 'null'

/** A value like the sample's for a nullable field, by its other branch. */
const VALUE_OF: Readonly<Record<string, unknown>> = { int: 7, long: 7, double: 0.5, boolean: true, string: 'text' }
const branchOf = ({ type }: Field): string => {
  const branch = (type as unknown[])[1]
  return typeof branch === 'string' ? branch : (branch as { type: string }).type
}

const copy = (name: SchemaName, value: unknown): unknown => {
  const type = avroType(name)
  return JSON.parse(JSON.stringify(type.fromBuffer(type.toBuffer(value))))
}

test('there is one schema file for each schema of the topology', () => {
  const used = [...Object.values(TOPICS).map(({ schema }) => schema), CYCLES_TOPIC.schema].filter(name => name !== null)
  expect(new Set(NAMES)).toEqual(new Set(used))
})

describe.each(NAMES)('%s', name => {
  test('the sample has the schema’s fields, all of them and in order', () => {
    expect(Object.keys(SAMPLES[name])).toEqual(fieldsOf(name).map(field => field.name))
  })

  test('the sample comes back as it went', () => {
    expect(copy(name, SAMPLES[name])).toEqual(SAMPLES[name])
  })

  test('every nullable field takes null and a value, and is null unless told (FULL_TRANSITIVE)', () => {
    for (const field of fieldsOf(name).filter(isNullable)) {
      expect(field, field.name).toHaveProperty('default', null)
      for (const value of [null, VALUE_OF[branchOf(field)]]) {
        const changed = { ...SAMPLES[name], [field.name]: value }
        expect(copy(name, changed)).toEqual(changed)
      }
    }
  })

  test('no other field takes null, and none may be left out', () => {
    const type = avroType(name)
    for (const field of fieldsOf(name).filter(each => !isNullable(each))) {
      const isOptional = field.default !== undefined
      expect(type.isValid({ ...SAMPLES[name], [field.name]: null }), field.name).toBe(false)
      expect(type.isValid({ ...SAMPLES[name], [field.name]: undefined }), field.name).toBe(isOptional)
    }
  })

  test('times are plain numbers, up to the last one that RFC 3339 can write', () => {
    const times = fieldsOf(name).filter(({ type }) => JSON.stringify(type).includes('timestamp-millis'))
    for (const field of times) {
      const changed = { ...SAMPLES[name], [field.name]: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }
      expect(copy(name, changed)).toEqual(changed)
    }
  })

  test('is named in the namespace of Predio, so registries and consoles show whose it is', () => {
    expect(avroType(name).name).toMatch(/^predio\.[A-Z][A-Za-z]+$/)
  })
})

test('the partner’s text travels byte for byte, whatever is in it', () => {
  const body = '{ "a":1e999, "a": "ñ 办 😀 \\ud800 \\u0000" }'
  expect(copy('raw-property', { ...sampleRawProperty, body })).toEqual({ ...sampleRawProperty, body })
})

test('a reason says the same in a listing and in a rejection', () => {
  const reasonIn = (name: SchemaName): unknown => fieldsOf(name).find(field => field.name === 'reasons')?.type
  expect(reasonIn('listing')).toEqual(reasonIn('rejection'))
})

test('a cycle without a committed offset has a base below every offset', () => {
  expect(NO_BASE).toBe(-1)
  expect(copy('cycle-report', { ...sampleCycleReport, base: NO_BASE })).toMatchObject({ base: -1 })
})
