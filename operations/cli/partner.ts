import { Command } from 'commander'
import { readEnvironment } from '../../connectors/environment.ts'
import { readPartners } from '../../connectors/partners.ts'
import { PredioError } from '../../schemas/errors.ts'
import { openLog } from '../log.ts'
import type { CommandChange } from '../partner-commands.ts'
import { withSession } from '../start/session-file.ts'
import { partnersPath } from './run.ts'

export function pauseCommand(): Command {
  return partnerCommand(
    'pause',
    'begin no new cycle of a partner; one that runs ends',
    () => ({ paused: true }),
    'is paused',
  )
}

export function resumeCommand(): Command {
  return partnerCommand('resume', 'poll a paused partner again', () => ({ paused: false }), 'is polled again')
}

export function cycleCommand(): Command {
  const run = partnerCommand(
    'run',
    'poll a partner now, also a paused one',
    ({ full }) => ({ run_requested_at: Date.now(), run_full: full === true }),
    'will be polled now',
  ).option('--full', 'ask both feeds for all they have')
  return new Command('cycle').description('a partner’s cycles').addCommand(run)
}

interface Flags {
  readonly json?: boolean
  readonly full?: boolean
}

function partnerCommand(
  name: string,
  description: string,
  changeOf: (flags: Flags) => CommandChange,
  done: string,
): Command {
  return new Command(name)
    .description(description)
    .argument('<partner>', 'its id in the partner file')
    .option('--json', 'one JSON object')
    .action(async (id: string, flags: Flags) => {
      const variables = withSession(process.env)
      const environment = readEnvironment(variables)
      if (!readPartners(partnersPath(variables)).some(partner => partner.id === id)) {
        throw new PredioError('USAGE', { partner: id, reason: 'is not in the partner file' })
      }
      const { command } = await import('../partner-commands.ts')
      const wanted = await command(environment, id, changeOf(flags), openLog('silent'))
      console.log(flags.json ? JSON.stringify(wanted) : `${id} ${done}`)
    })
}
