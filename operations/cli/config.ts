import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { mistakeText, parsePartners } from '../../connectors/partners.ts'
import { PredioError } from '../../schemas/errors.ts'
import { partnersPath } from './run.ts'

export function configCommand(): Command {
  const validate = new Command('validate')
    .description('check the partner file whole and list every mistake')
    .argument('[file]', 'the partner file; PREDIO_PARTNERS when not named')
    .option('--json', 'one JSON object')
    .action((file: string | undefined, { json = false }: { json?: boolean }) => {
      const path = file ?? partnersPath(process.env)
      const { partners, mistakes } = parsePartners(textOf(path))
      if (json) console.log(JSON.stringify({ file: path, partners: partners.map(({ id }) => id), mistakes }))
      else if (mistakes.length === 0) console.log(`${path}: ${partners.length} partners, no mistakes`)
      else for (const mistake of mistakes) console.error(mistakeText(path, mistake))
      if (mistakes.length > 0) process.exitCode = 2
    })
  return new Command('config').description('the partner file').addCommand(validate)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new PredioError('CONFIG_UNREADABLE', { file: path, reason: (cause as NodeJS.ErrnoException).code }, { cause })
  }
}
