import { expect, test } from 'vitest'
import { deletionWarnings } from '../../../connectors/crm-source/warnings.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const sent = '2026-11-21T11:00:00Z'
const answer = { deletedIds: [], since: null, generatedAt: NOW }

test.each([
  { name: 'an answer as contract 2.3 has it', answer, sent: undefined, warnings: [] },
  { name: 'an empty answer has since null, contract 2.3', answer, sent, warnings: [] },
  { name: 'the echo of what was sent', answer: { ...answer, deletedIds: ['a'], since: sent }, sent, warnings: [] },
  {
    name: 'the same instant in another spelling',
    answer: { ...answer, since: '2026-11-21T05:00:00-06:00' },
    sent,
    warnings: [],
  },
  { name: 'another since', answer: { ...answer, since: '2026-01-01T00:00:00Z' }, sent, warnings: ['since_not_echoed'] },
  {
    name: 'a since though none was sent',
    answer: { ...answer, since: sent },
    sent: undefined,
    warnings: ['since_not_echoed'],
  },
  {
    name: 'no since at all beside ids',
    answer: { ...answer, deletedIds: ['a'], since: undefined },
    sent,
    warnings: ['since_not_echoed'],
  },
  { name: 'a since that is no text', answer: { ...answer, since: 7 }, sent, warnings: ['since_not_echoed'] },
  { name: 'no generated_at', answer: { ...answer, generatedAt: null }, sent, warnings: ['generated_at_missing'] },
  {
    name: 'a generated_at just within the skew',
    answer: { ...answer, generatedAt: NOW - 150_000 },
    sent,
    warnings: [],
  },
  {
    name: 'a generated_at out of it',
    answer: { ...answer, generatedAt: NOW + 150_001 },
    sent,
    warnings: ['generated_at_skewed'],
  },
])('row 24: $name', ({ answer: given, sent: asked, warnings }) => {
  expect(deletionWarnings(given, asked, NOW)).toEqual(warnings)
})
