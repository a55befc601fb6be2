import { Command } from 'commander'
import { readEnvironment } from '../../connectors/environment.ts'
import { readPartners } from '../../connectors/partners.ts'
import { PredioError } from '../../schemas/errors.ts'
import { sinceText } from '../../schemas/instant.ts'
import { openLog } from '../log.ts'
import { withSession } from '../start/session-file.ts'
import type { PartnerStatus } from '../status.ts'
import { partnersPath } from './run.ts'

export function statusCommand(): Command {
  return new Command('status')
    .description('one line per partner: state, last success, since, age and lag')
    .argument('[partner]', 'only this one')
    .option('--json', 'one JSON object')
    .action(async (id: string | undefined, { json = false }: { json?: boolean }) => {
      const { readStatus } = await import('../status.ts')
      const variables = withSession(process.env)
      const environment = readEnvironment(variables)
      const partners = readPartners(partnersPath(variables)).filter(partner => id === undefined || partner.id === id)
      if (partners.length === 0) throw new PredioError('USAGE', { partner: id, reason: 'is not in the partner file' })
      const nowMs = Date.now()
      const statuses = await readStatus(environment, partners, openLog('silent'), nowMs)
      console.log(
        json ? JSON.stringify({ partners: statuses }) : statuses.map(status => statusLine(status, nowMs)).join('\n'),
      )
    })
}

export function statusLine({ partner, state, since, lastCycle, failure, lag }: PartnerStatus, nowMs: number): string {
  const last =
    lastCycle === null ? 'no cycle yet' : `last cycle ${sinceText(lastCycle)} (${ageText(nowMs - lastCycle)} ago)`
  const from = since === null ? 'polls all' : `since ${sinceText(since)}`
  const why = failure === null ? '' : `, ${failure}`
  return `${partner.padEnd(16)} ${state.padEnd(12)} ${last}, ${from}, lag validator ${lag.validator}, catalog ${lag.catalog}${why}`
}

export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}
