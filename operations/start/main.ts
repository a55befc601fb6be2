import type pg from 'pg'
import { createPool } from '../../connectors/catalog-sink/pool.ts'
import { createCatalogStore } from '../../connectors/catalog-sink/store.ts'
import { readEnvironment } from '../../connectors/environment.ts'
import { readPartners } from '../../connectors/partners.ts'
import { PredioError } from '../../schemas/errors.ts'
import { sinceText } from '../../schemas/instant.ts'
import type { StartFlags } from '../cli/start.ts'
import { openLog } from '../log.ts'
import type { RoleEvent } from '../role-process.ts'
import type { RoleName } from '../roles.ts'
import { setup } from '../setup.ts'
import { type CycleNews, type CycleSummary, CycleWatch } from './cycles.ts'
import { openDisplay } from './display.ts'
import { hints } from './hints.ts'
import { superviseRoles } from './role-supervisor.ts'
import { writeSession } from './session-file.ts'
import { needsLocalStack, type Surroundings, startSurroundings } from './surroundings.ts'

/**
 * Everything in one command. Resolves to the exit code: 0, or 3 where with `--once` a partner's first cycle failed.
 *
 * @throws a PredioError that says what is missing, after everything that had started was stopped
 */
export async function start(flags: StartFlags, variables: NodeJS.ProcessEnv): Promise<number> {
  const { once = false, json = false, fresh = false, data } = flags
  if (variables.PREDIO_PARTNERS) readPartners(variables.PREDIO_PARTNERS)
  needsLocalStack(variables)
  const startedMs = Date.now()
  const display = openDisplay(json ? process.stderr : process.stdout, Date.now)
  const ending = endOnSignals()
  let surroundings: Surroundings | undefined
  let session: Session | undefined
  let forget = (): void => {}
  try {
    surroundings = await startSurroundings({
      variables,
      dataDir: data,
      fresh,
      signal: ending.signal,
      say: display.say,
      onExit: ({ part, logPath }) => ending.fail(new PredioError('STACK_START_FAILED', { part, log: logPath })),
    })
    forget = writeSession(surroundings.dataDir, surroundings.variables)
    session = await openSession(surroundings, display, ending, once)
    const summaries = await session.finished
    await session.stop()
    const result = {
      partners: summaries,
      catalog: await session.store.counts(),
      seconds: round((Date.now() - startedMs) / 1_000),
    }
    if (json)
      console.log(JSON.stringify({ ...result, partners: result.partners.map(({ seconds: _, ...shown }) => shown) }))
    return summaries.some(({ outcome }) => outcome === 'failed') ? 3 : 0
  } catch (error) {
    if (!ending.signal.aborted || ending.failure !== undefined) throw ending.failure ?? error
    return 0
  } finally {
    forget()
    display.close()
    await session?.stop()
    await session?.pool.end()
    await surroundings?.stop()
    if (surroundings !== undefined && !json) display.say('stopped')
  }
}

interface Session {
  /** Each partner's first cycle, with `--once`; rejects when the user ends it or a role cannot run. */
  readonly finished: Promise<readonly CycleSummary[]>
  readonly store: ReturnType<typeof createCatalogStore>
  readonly pool: pg.Pool
  stop(): Promise<void>
}

type Ending = ReturnType<typeof endOnSignals>

async function openSession(
  { variables, stack }: Surroundings,
  display: ReturnType<typeof openDisplay>,
  ending: Ending,
  once: boolean,
): Promise<Session> {
  const environment = readEnvironment(variables)
  const partners = readPartners(variables.PREDIO_PARTNERS!)
  const plan = await setup({ environment, partners, dryRun: false, log: openLog('warn', process.stderr) })
  display.say(
    `${plan.topics.length} topics, ${plan.subjects.length} schemas and ${plan.migrations.length} migrations were new`,
  )
  for (const line of hints(environment, partners, stack)) display.say(line)

  const pool = createPool(environment.databaseUrl, { max: 2, applicationName: 'predio-start' })
  const store = createCatalogStore(pool)
  const watch = new CycleWatch()
  const first = new Map<string, CycleSummary>()
  const { promise: finished, resolve, reject } = Promise.withResolvers<readonly CycleSummary[]>()
  finished.catch(() => {})
  ending.signal.addEventListener('abort', () => reject(ending.failure ?? ending.signal.reason), { once: true })
  if (ending.signal.aborted) reject(ending.failure ?? ending.signal.reason)

  const summarize = async (news: Extract<CycleNews, { kind: 'ended' }>): Promise<void> => {
    const { partner, cycle, outcome, properties: polled, sinceMs, error, seconds } = news
    const tally = await store.tally(partner, cycle)
    const summary = {
      partner,
      cycle,
      outcome,
      polled,
      ...tally,
      since: sinceMs === null ? null : sinceText(sinceMs),
      error,
      seconds: round(seconds),
    }
    display.row(summary)
    if (outcome === 'checkpointed' || outcome === 'failed') first.set(partner, first.get(partner) ?? summary)
    if (once && first.size === partners.length) resolve([...first.values()])
  }
  const onEvent = (role: RoleName) => (event: RoleEvent) => {
    const news = watch.read(event, Date.now())
    if (news?.kind === 'ended') summarize(news).catch(ending.fail)
    else if (news !== undefined) display.progress(news)
    else if (event.level === 'warn' || event.level === 'error' || event.level === 'fatal')
      display.say(warningText(role, event))
  }
  const roles = superviseRoles({ ...variables, LOG_LEVEL: 'info' }, onEvent, ending.fail)
  return { finished, store, pool, stop: roles.stop }
}

function warningText(role: RoleName, { event, partner, error, said }: RoleEvent): string {
  return [role, event, partner, error, said].filter(part => part !== undefined).join(': ')
}

/** Ctrl-C ends everything in order; a second one does not wait. */
function endOnSignals() {
  const controller = new AbortController()
  const ending = {
    signal: controller.signal,
    failure: undefined as Error | undefined,
    fail(error: Error): void {
      ending.failure ??= error
      controller.abort(error)
    },
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      controller.abort(new Error('stopped'))
    })
  }
  return ending
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10
