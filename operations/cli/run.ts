import { Argument, Command } from 'commander'
import { readEnvironment } from '../../connectors/environment.ts'
import { readPartners } from '../../connectors/partners.ts'
import { PredioError, sentenceOf } from '../../schemas/errors.ts'
import { namesOf } from '../../schemas/topology.ts'
import { openLog } from '../log.ts'
import { ROLE_NAMES, type RoleName, startRoles } from '../roles.ts'

export function runCommand(): Command {
  return new Command('run')
    .description('run roles in this process until SIGTERM')
    .addArgument(
      new Argument('[roles...]', 'which ones; all when none is named').choices(ROLE_NAMES).default(ROLE_NAMES),
    )
    .addHelpText('after', '\nExamples:\n  $ predio run source\n  $ predio run validator catalog checkpoint')
    .action(run)
}

async function run(roles: readonly RoleName[]): Promise<void> {
  const environment = readEnvironment(process.env)
  const partners = readPartners(partnersPath(process.env))
  const log = openLog(process.env.LOG_LEVEL)
  const { promise: ended, resolve: end, reject: die } = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1)) // a second one does not wait
      end()
    })
  }
  if (process.connected) process.once('disconnect', end) // whoever started us is gone
  const context = { environment, names: namesOf(environment.prefix), partners, variables: process.env, log, fatal: die }
  const running = await startRoles(roles, context)
  process.send?.({ ready: roles })
  try {
    await ended
    await running.stop()
    log.info({ event: 'stopped', roles })
    // What still holds the process (a socket that a dead broker never closed) has nothing to say any more.
    process.exit(0)
  } catch (error) {
    log.fatal({ event: 'role_failed', roles, error: sentenceOf(error) })
    process.exit(PredioError.is(error) ? error.exitCode : 1)
  }
}

/** @throws CONFIG_INVALID when `PREDIO_PARTNERS` is not set */
export function partnersPath({ PREDIO_PARTNERS }: NodeJS.ProcessEnv): string {
  if (!PREDIO_PARTNERS) throw new PredioError('CONFIG_INVALID', { environment: 'PREDIO_PARTNERS is not set' })
  return PREDIO_PARTNERS
}
