import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type LocalStack, startLocalStack } from '../operations/stack/local-stack.ts'
import { type FeedToCatalog, feedToCatalog } from './feed-to-catalog.ts'
import { machine, median } from './machine.ts'
import { feedToRaw, manyPartners, underLimit } from './source.ts'

/**
 * npm run bench -- [what] [--listings 100000] [--runs 3] [--partners 1000]
 *
 * Each run has its own topics, groups and database on one local stack. The last line is JSON.
 */
interface Options {
  readonly listings: number
  readonly runs: number
  readonly partners: number
}

const BENCHES: Readonly<Record<string, (stack: LocalStack, options: Options) => Promise<object>>> = {
  'feed-to-catalog': async (stack, { listings, runs }) => {
    const results = await repeat(runs, run => feedToCatalog(stack, listings, `bench-${run}`))
    const roles = Object.keys(results[0]!.roles)
    return {
      listings,
      ...summary(results),
      peakMb: Object.fromEntries(roles.map(role => [role, peakOf(results, role)])),
    }
  },
  'feed-to-raw': async (stack, { listings, runs }) => {
    const results = await repeat(runs, run => feedToRaw(stack, listings, `raw-${run}`))
    return { listings, ...summary(results), peakMb: Math.max(...results.map(({ source }) => source.peakMb)) }
  },
  'rate-limit': stack => underLimit(stack, 60, 'limit'),
  'many-partners': (stack, { partners }) => manyPartners(stack, partners, 'many'),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listings: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    partners: { type: 'string', default: '1000' },
  },
})
const what = positionals[0] ?? 'feed-to-catalog'
const bench = BENCHES[what]
if (bench === undefined) {
  console.error(`no bench ${what}; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}
const options: Options = {
  listings: Number(values.listings),
  runs: Number(values.runs),
  partners: Number(values.partners),
}
const dataDir = mkdtempSync(join(tmpdir(), 'predio-bench-stack-'))
const say = (words: string): void => console.error(words)
const stack = await startLocalStack({
  dataDir,
  heavy: true,
  log: say,
  onExit: ({ part, logTail }) => say(`${part} ended: ${logTail}`),
})
try {
  const result = await bench(stack, options)
  const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`.trim()
  console.log(
    JSON.stringify({
      bench: what,
      command,
      date: new Date().toISOString().slice(0, 10),
      machine: machine(),
      ...result,
    }),
  )
} finally {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function repeat<Result>(runs: number, once: (run: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let run = 1; run <= runs; run++) {
    const result = await once(run)
    say(`run ${run}: ${JSON.stringify(result)}`)
    results.push(result)
  }
  return results
}

function summary(results: readonly { readonly perSecond: number }[]): { perSecond: number; runs: number[] } {
  const runs = results.map(({ perSecond }) => perSecond)
  return { perSecond: Math.round(median(runs)), runs }
}

function peakOf(results: readonly FeedToCatalog[], role: string): number {
  return Math.max(...results.map(({ roles }) => roles[role]!.peakMb))
}
