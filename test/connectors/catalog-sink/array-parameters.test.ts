import { expect, test } from 'vitest'
import { arrayLiteral, bigintArray, textArray } from '../../../connectors/catalog-sink/array-parameters.ts'

test.each([
  { name: 'empty', values: [], literal: '{}' },
  { name: 'one empty text', values: [''], literal: '{""}' },
  { name: 'what would be syntax', values: ['a,b', '{c}', 'NULL', ' '], literal: '{"a,b","{c}","NULL"," "}' },
  { name: 'quotes and backslashes', values: ['3" pipe', 'C:\\'], literal: '{"3\\" pipe","C:\\\\"}' },
])('arrayLiteral: $name', ({ values, literal }) => {
  expect(arrayLiteral(values)).toBe(literal)
})

// Header: one dimension, may have nulls, element OID, elements, lower bound 1. @source PostgreSQL array_recv
test.each([
  {
    name: 'text, with a null',
    buffer: textArray(['é', null]),
    hex: ['00000001', '00000001', '00000019', '00000002', '00000001', '00000002', 'c3a9', 'ffffffff'],
  },
  {
    name: 'text with a lone surrogate is no UTF-8',
    buffer: textArray(['\ud800']),
    hex: ['00000001', '00000001', '00000019', '00000001', '00000001', '00000003', 'ffbfbd'],
  },
  {
    name: 'bigint beyond 32 bits',
    buffer: bigintArray([2 ** 32 + 1]),
    hex: ['00000001', '00000001', '00000014', '00000001', '00000001', '00000008', '0000000100000001'],
  },
])('$name', ({ buffer, hex }) => {
  expect(buffer.toString('hex')).toBe(hex.join(''))
})
