import type { Severity } from '../../schemas/verdict.ts'
import { propertyAsSent } from './property.ts'
import { EXAMPLE_PROPERTY, EXAMPLE_RECEIVED_AT_MS, exampleBody } from './rules/example.ts'
import type { RuleBook } from './rules/rule-book.ts'

/** One rule as people look it up: in `predio rules` and in docs/rules.md. */
export interface CatalogueEntry {
  readonly code: string
  readonly severity: Severity
  readonly field: string
  readonly source: string
  /** The messages that the bad example earns. */
  readonly message_es: string
  readonly message_en: string
  /** JSON text of what stands at `field`; where `field` is '', the whole body. */
  readonly bad: string
  readonly good: string
}

export function ruleCatalogue(book: RuleBook): readonly CatalogueEntry[] {
  return book.rules.map(({ code, severity, field, source, message, bad, good }) => {
    const { es, en } = message(propertyAsSent(exampleBody(field, bad), EXAMPLE_RECEIVED_AT_MS))
    const shown = (value: unknown) => (field === '' ? String(value) : JSON.stringify(value))
    return { code, severity, field, source, message_es: es, message_en: en, bad: shown(bad), good: shown(good) }
  })
}

/** docs/rules.md: a table to scan, then each rule with its examples. */
export function ruleCatalogueMarkdown(book: RuleBook): string {
  const entries = ruleCatalogue(book)
  const rows = entries.map(
    ({ code, severity, field, source }) => `| [\`${code}\`](#${code}) | ${severity} | ${place(field)} | ${source} |`,
  )
  return [HEAD, ...rows, '', ...entries.flatMap(sectionOf)].join('\n')
}

const HEAD = `# Rules

Made from \`processors/validator/rules/\` by \`node docs/make-rules.ts\`; do not edit by hand.

BLOCK rejects a property, DRAFT keeps it as a draft, WARN holds nothing back. All broken rules are reported at once. The
configuration can raise a DRAFT rule or the WARN rule; a BLOCK rule stays BLOCK, because a listing cannot be stored without
the field it guards. A field is a JSON Pointer into the property. This property breaks no rule:

\`\`\`json
${JSON.stringify(EXAMPLE_PROPERTY, null, 2)}
\`\`\`

| rule | severity | field | source |
|---|---|---|---|`

function sectionOf({ code, severity, field, message_es, message_en, bad, good }: CatalogueEntry): readonly string[] {
  return [
    `## ${code}`,
    '',
    `${severity}, ${place(field)}`,
    '',
    `- bad: \`${bad}\``,
    ...(field === '' ? [] : [`- good: \`${good}\``]),
    `- es: ${message_es}`,
    `- en: ${message_en}`,
    '',
  ]
}

function place(field: string): string {
  return field === '' ? 'the whole property' : `\`${field}\``
}
