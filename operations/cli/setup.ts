import { Command } from 'commander'
import { readEnvironment } from '../../connectors/environment.ts'
import { readPartners } from '../../connectors/partners.ts'
import { openLog } from '../log.ts'
import type { SetupPlan } from '../setup.ts'
import { partnersPath } from './run.ts'

export function setupCommand(): Command {
  return new Command('setup')
    .description('create what is missing: topics, schemas, tables; changes nothing that exists')
    .option('--dry-run', 'print what would be created')
    .option('--json', 'one JSON object')
    .action(async ({ dryRun = false, json = false }: { dryRun?: boolean; json?: boolean }) => {
      const { setup } = await import('../setup.ts')
      const environment = readEnvironment(process.env)
      const partners = readPartners(partnersPath(process.env))
      const plan = await setup({
        environment,
        partners,
        dryRun,
        log: openLog(process.env.LOG_LEVEL ?? 'warn', process.stderr),
      })
      console.log(json ? JSON.stringify({ dryRun, ...plan }) : planText(plan, dryRun))
    })
}

export function planText({ topics, subjects, migrations }: SetupPlan, dryRun: boolean): string {
  const verb = dryRun ? 'would create' : 'created'
  const lines = [
    ...topics.map(name => `${verb} topic ${name}`),
    ...subjects.map(name => `${verb} schema ${name}`),
    ...migrations.map(name => `${dryRun ? 'would apply' : 'applied'} migration ${name}`),
  ]
  return lines.length === 0 ? 'everything is there already' : lines.join('\n')
}
