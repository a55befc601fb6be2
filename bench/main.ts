import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLocalStack } from '../operations/stack/local-stack.ts'
import { type FeedToCatalog, feedToCatalog } from './feed-to-catalog.ts'
import { machine, median } from './machine.ts'

/**
 * npm run bench -- [--listings 100000] [--runs 3]
 *
 * Each run has its own topics, groups and database on one local stack. The last line is JSON.
 */
const { values } = parseArgs({
  options: { listings: { type: 'string', default: '100000' }, runs: { type: 'string', default: '3' } },
})
const listings = Number(values.listings)
const dataDir = mkdtempSync(join(tmpdir(), 'predio-bench-stack-'))
const say = (words: string): void => console.error(words)
const stack = await startLocalStack({
  dataDir,
  heavy: true,
  log: say,
  onExit: ({ part, logTail }) => say(`${part} ended: ${logTail}`),
})
try {
  const runs: FeedToCatalog[] = []
  for (let run = 1; run <= Number(values.runs); run++) {
    const result = await feedToCatalog(stack, listings, `bench-${run}`)
    say(`run ${run}: ${JSON.stringify(result)}`)
    runs.push(result)
  }
  const perSecond = median(runs.map(({ listingsPerSecond }) => listingsPerSecond))
  const peakMb = Object.fromEntries(
    Object.keys(runs[0]!.roles).map(role => [role, Math.max(...runs.map(({ roles }) => roles[role]!.peakMb))]),
  )
  const command = `npm run bench -- --listings ${listings} --runs ${values.runs}`
  console.log(
    JSON.stringify({
      bench: 'feed-to-catalog',
      command,
      date: new Date().toISOString().slice(0, 10),
      machine: machine(),
      listings,
      listingsPerSecond: perSecond,
      runs: runs.map(({ listingsPerSecond }) => listingsPerSecond),
      peakMb,
    }),
  )
} finally {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
