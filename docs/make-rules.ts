/** Writes docs/rules.md from the rule book: node docs/make-rules.ts */
import { writeFileSync } from 'node:fs'
import { loadPostalCodes } from '../data/postal-codes.ts'
import { ruleCatalogueMarkdown } from '../processors/validator/rule-catalogue.ts'
import { ruleBook } from '../processors/validator/rules/rule-book.ts'

writeFileSync(
  new URL('./rules.md', import.meta.url),
  ruleCatalogueMarkdown(ruleBook({ postalCodes: loadPostalCodes() })),
)
