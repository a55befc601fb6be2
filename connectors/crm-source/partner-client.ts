import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import Bottleneck from 'bottleneck'
import type { Logger } from 'pino'
import { Agent, type Dispatcher, request } from 'undici'
import { PredioError } from '../../schemas/errors.ts'
import { FEED_PATHS, type Feed } from '../../schemas/feeds.ts'
import { type Partner, resolveSecret } from '../partners.ts'
import type { Clock } from './clock.ts'
import { outcomeOf, waitMs } from './statuses.ts'

/** A larger answer is cut off, counted after decompression: a page of 200 listings has some 250 KB. */
export const BODY_MAX_BYTES = 64 * 1024 * 1024
/** Time that a cycle may spend waiting because the partner said 429 or 503. */
const WAIT_BUDGET_MS = 10 * 60_000

export interface FeedAnswer {
  /** The body; null for 204. */
  readonly text: string | null
  /** The partner's clock, from `Date`; undefined when absent. */
  readonly dateMs: number | undefined
  readonly status: number
}

/** One partner's two feeds, behind one limiter and one credential. */
export interface PartnerClient {
  /**
   * Asks for one page. Waits for the limiter, and on 429 and 503 as long as the partner asks within the cycle's budget.
   *
   * @throws a PARTNER_ error that fails the cycle (contract 7); CYCLE_STOPPED when the signal fires
   */
  read(feed: Feed, query: Readonly<Record<string, string>>, cycle: CycleBudget): Promise<FeedAnswer>
  close(): Promise<void>
}

/** What one cycle may still spend on waiting, and what it has used. */
export class CycleBudget {
  readonly signal: AbortSignal
  requests = 0
  /** Of the answers' bodies, decoded. */
  bytes = 0
  waitedMs = 0
  waitMs = WAIT_BUDGET_MS

  constructor(signal: AbortSignal) {
    this.signal = signal
  }
}

export function partnerClient(
  partner: Partner,
  variables: NodeJS.ProcessEnv,
  clock: Clock,
  log: Logger,
): PartnerClient {
  const dispatcher = new Agent({ connect: { timeout: 10_000 }, keepAliveTimeout: 60_000, pipelining: 1 })
  // minTime and maxConcurrent only: a reservoir lets double bursts through, and `expiration` gives up jobs that go on.
  const limiter = new Bottleneck({ minTime: 60_000 / partner.requests_per_minute, maxConcurrent: 1 })
  const credential = credentialOf(partner, variables)

  async function attempt(feed: Feed, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Attempt> {
    const url = new URL(partner.base_url + FEED_PATHS[feed])
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const timeout = AbortSignal.timeout(partner.request_timeout)
    try {
      const answer = await request(url, {
        dispatcher,
        headers: { accept: 'application/json', 'accept-encoding': 'gzip, identity', ...credential },
        signal: AbortSignal.any([signal, timeout]),
        headersTimeout: 0, // the signal is the one deadline, over headers and body together
        bodyTimeout: 0,
      })
      const outcome = outcomeOf(answer.statusCode)
      const dateMs = Date.parse(String(answer.headers.date)) || undefined
      if (outcome === 'read')
        return { kind: 'answer', text: await bodyOf(answer, feed), dateMs, status: answer.statusCode }
      await answer.body.dump({ limit: 65_536 })
      if (outcome === 'empty') return { kind: 'answer', text: null, dateMs, status: answer.statusCode }
      if (outcome === 'wait')
        return { kind: 'wait', status: answer.statusCode, retryAfter: headerOf(answer, 'retry-after') }
      const code =
        outcome === 'fail-auth' ? 'PARTNER_AUTH' : outcome === 'fail-redirect' ? 'PARTNER_REDIRECT' : 'PARTNER_STATUS'
      throw new PredioError(code, { partner: partner.id, feed, status: answer.statusCode })
    } catch (cause) {
      if (PredioError.is(cause)) throw cause
      if (signal.aborted) throw new PredioError('CYCLE_STOPPED', { partner: partner.id }, { cause })
      if (timeout.aborted) {
        throw new PredioError('PARTNER_TIMEOUT', { partner: partner.id, feed, ms: partner.request_timeout }, { cause })
      }
      throw new PredioError('PARTNER_UNREACHABLE', { partner: partner.id, feed, reason: reasonOf(cause) }, { cause })
    }
  }

  return {
    async read(feed, query, budget) {
      for (let refusals = 0; ; refusals++) {
        const result = await limiter.schedule(() => attempt(feed, query, budget.signal))
        if (result.kind === 'answer') return result
        const ms = waitMs(result.retryAfter, refusals, clock.nowMs(), clock.chance())
        budget.waitMs -= ms
        if (budget.waitMs < 0)
          throw new PredioError('PARTNER_BUSY', { partner: partner.id, feed, status: result.status })
        log.info({ event: 'partner_busy', partner: partner.id, feed, status: result.status, waitMs: Math.round(ms) })
        await clock.sleep(ms, budget.signal).catch(cause => {
          throw new PredioError('CYCLE_STOPPED', { partner: partner.id }, { cause })
        })
      }
    },
    async close() {
      await dispatcher.destroy()
    },
  }
}

type Attempt =
  | ({ readonly kind: 'answer' } & FeedAnswer)
  | { readonly kind: 'wait'; readonly status: number; readonly retryAfter: string | undefined }

function credentialOf({ auth }: Partner, variables: NodeJS.ProcessEnv): Record<string, string> {
  const secret = resolveSecret(auth.secret, variables)
  return 'scheme' in auth ? { authorization: `Bearer ${secret}` } : { [auth.header]: secret }
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** Error codes name what happened (`ECONNREFUSED`, `ENOTFOUND`); messages may hold addresses and header values. */
function reasonOf(cause: unknown): string {
  const { code, name } = cause as { code?: string; name?: string }
  return code ?? name ?? 'unknown'
}

/** The whole body as text, never more than BODY_MAX_BYTES of it, and only if it is valid UTF-8. */
async function bodyOf(answer: Dispatcher.ResponseData, feed: Feed): Promise<string> {
  const encoding = (headerOf(answer, 'content-encoding') ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && encoding !== 'gzip') {
    await answer.body.dump({ limit: 65_536 })
    throw new PredioError('PARTNER_BODY_UNREADABLE', { feed, encoding: encoding.slice(0, 40) })
  }
  const raw: Readable = answer.body
  const decoded = encoding === 'gzip' ? raw.compose(createGunzip()) : raw
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of decoded as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_MAX_BYTES) {
      raw.destroy()
      throw new PredioError('PARTNER_BODY_TOO_LARGE', { feed, maxBytes: BODY_MAX_BYTES })
    }
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new PredioError('PARTNER_BODY_UNREADABLE', { feed, reason: 'no valid UTF-8' }, { cause })
  }
}
