import { Command } from 'commander'

export interface StartFlags {
  readonly once?: boolean
  readonly json?: boolean
  readonly fresh?: boolean
  readonly data?: string
}

export function startCommand(): Command {
  return new Command('start')
    .description('run everything here: a local stack, all roles, and a sample partner where PREDIO_PARTNERS is not set')
    .option('--once', 'end when each partner’s first cycle is checkpointed or has failed')
    .option('--json', 'one JSON object as the last line; what happens meanwhile goes to standard error')
    .option('--fresh', 'empty the local stack’s data first')
    .option('--data <folder>', 'where the local stack keeps its data')
    .addHelpText(
      'after',
      '\nWith KAFKA_BROKERS, SCHEMA_REGISTRY_URL and DATABASE_URL set, nothing is started locally but the roles.' +
        '\n\nExamples:\n  $ predio start\n  $ predio start --once --json\n  $ PREDIO_PARTNERS=my.yaml predio start --fresh',
    )
    .action(async (flags: StartFlags) => {
      const { start } = await import('../start/main.ts')
      process.exitCode = await start(flags, process.env)
    })
}
