import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ruleCatalogue, ruleCatalogueMarkdown } from '../../../processors/validator/rule-catalogue.ts'
import { BOOK } from './verdicts.ts'

const catalogue = ruleCatalogue(BOOK)

test('docs/rules.md is what `node docs/make-rules.ts` writes', () => {
  const written = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
  expect(written).toBe(ruleCatalogueMarkdown(BOOK))
})

describe('ruleCatalogue', () => {
  test('lists every rule of the book in its order', () => {
    expect(catalogue.map(({ code, severity, field, source }) => ({ code, severity, field, source }))).toEqual(
      BOOK.rules.map(({ code, severity, field, source }) => ({ code, severity, field, source })),
    )
  })

  test('shows what stands at the field as JSON, with the messages it earns', () => {
    expect(catalogue.find(({ code }) => code === 'postal_code_malformed')).toEqual({
      code: 'postal_code_malformed',
      severity: 'BLOCK',
      field: '/location/postal_code',
      source: 'contract 2.1',
      message_es: 'location.postal_code es "6600": se perdió el cero inicial. Envíelo como texto: "06600".',
      message_en: 'location.postal_code is "6600": its leading zero was lost. Send it as text: "06600".',
      bad: '"6600"',
      good: '"06600"',
    })
  })

  test('shows whole bodies as they are', () => {
    expect(catalogue.find(({ code }) => code === 'property_unreadable')?.bad).toBe('{"external_id": "CRM-1"')
  })

  test.each(catalogue)('$code: texts are there, Spanish differs from English', entry => {
    for (const text of [entry.message_es, entry.message_en, entry.bad, entry.good]) expect(text).not.toBe('')
    expect(entry.message_es).not.toBe(entry.message_en)
  })
})

test('the document has a row and a section for every rule, and no blank that Markdown would swallow', () => {
  const markdown = ruleCatalogueMarkdown(BOOK)
  for (const { code, severity } of catalogue) {
    expect(markdown).toContain(`| [\`${code}\`](#${code}) | ${severity} |`)
    expect(markdown).toContain(`\n## ${code}\n`)
  }
  expect(markdown.endsWith('.\n')).toBe(true)
})
