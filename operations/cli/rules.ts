import { Command } from 'commander'

export function rulesCommand(): Command {
  return new Command('rules')
    .description('print the rule book: code, severity, field and message')
    .option('--language <es|en>', 'language of the messages', 'en')
    .option('--json', 'one JSON object')
    .action(async ({ json = false, language }: { json?: boolean; language: string }) => {
      const { loadPostalCodes } = await import('../../data/postal-codes.ts')
      const { ruleCatalogue } = await import('../../processors/validator/rule-catalogue.ts')
      const { ruleBook } = await import('../../processors/validator/rules/rule-book.ts')
      const book = ruleBook({ postalCodes: loadPostalCodes() })
      const entries = ruleCatalogue(book)
      if (json) {
        console.log(JSON.stringify({ ruleSet: book.ruleSet, rules: entries }))
        return
      }
      const width = Math.max(...entries.map(({ code }) => code.length))
      for (const { code, severity, field, message_es, message_en } of entries) {
        console.log(`${severity.padEnd(6)}${code.padEnd(width + 2)}${field || '(whole)'}`)
        console.log(`      ${language === 'es' ? message_es : message_en}`)
      }
    })
}
