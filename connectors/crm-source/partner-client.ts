import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import { Agent, request } from 'undici'
import { type ErrorCode, type ErrorContext, PredioError } from '../../schemas/errors.ts'
import { FEED_PATHS, type Feed } from '../../schemas/feeds.ts'
import { guardedConnector } from '../egress.ts'
import type { Partner } from '../partners.ts'
import { discard, readBody } from './body.ts'
import type { Clock } from './clock.ts'
import { Credential } from './credential.ts'
import type { CycleBudget } from './cycle-budget.ts'
import { httpDateMs } from './http-date.ts'
import { type AnswerHeaders, pauseMs, textOf } from './rate-limits.ts'
import { RequestPace } from './request-pace.ts'
import { FAILURES, outcomeOf, type StatusOutcome, waitMs } from './statuses.ts'

export interface FeedAnswer {
  /** The body; null for 204. */
  readonly text: string | null
  /** The partner's clock, from `Date`; undefined when absent or no date. */
  readonly dateMs: number | undefined
  readonly status: number
}

/** One partner's two feeds, behind one limiter and one credential. */
export interface PartnerClient {
  /**
   * Asks for one page. Waits for its turn, and on 429 and 503 as long as the partner asks within the cycle's budget.
   *
   * @throws a PARTNER_ error that fails the cycle (contract 7); CYCLE_STOPPED, CYCLE_TIMEOUT
   */
  read(feed: Feed, query: Readonly<Record<string, string>>, budget: CycleBudget): Promise<FeedAnswer>
  close(): Promise<void>
}

export interface ClientPorts {
  /** Where `env:` references are looked up. */
  readonly variables: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: Logger
  /** By default the system's. */
  readonly lookup?: LookupFunction
}

/**
 * A client for each partner, by id. Partners of one origin with one secret are one user to that CRM, so they share a pace,
 * the slowest that is configured.
 *
 * @throws CONFIG_INVALID when a secret is missing or no header can carry it
 */
export function partnerClients(partners: readonly Partner[], ports: ClientPorts): Map<string, PartnerClient> {
  const users = Map.groupBy(partners, ({ base_url, auth }) => `${new URL(base_url).origin} ${auth.secret}`)
  const clients = new Map<string, PartnerClient>()
  for (const sharers of users.values()) {
    const requestsPerMinute = Math.min(...sharers.map(({ requests_per_minute }) => requests_per_minute))
    const pace = new RequestPace({ requestsPerMinute, partners: sharers.length }, ports.clock)
    for (const partner of sharers) clients.set(partner.id, new HttpPartnerClient(partner, ports, pace))
  }
  return clients
}

interface Answer extends FeedAnswer {
  readonly outcome: StatusOutcome
  readonly headers: AnswerHeaders
}

const CONNECT_TIMEOUT_MS = 10_000

class HttpPartnerClient implements PartnerClient {
  readonly #partner: Partner
  readonly #ports: ClientPorts
  readonly #pace: RequestPace
  readonly #credential: Credential
  readonly #dispatcher: Agent
  readonly #closing = new AbortController()

  constructor(partner: Partner, ports: ClientPorts, pace: RequestPace) {
    this.#partner = partner
    this.#ports = ports
    this.#pace = pace
    this.#credential = new Credential(partner.auth, ports.variables)
    const { allow_private: allowPrivate, request_timeout } = partner
    const timeoutMs = Math.min(CONNECT_TIMEOUT_MS, request_timeout)
    const { signal } = this.#closing
    const connect = guardedConnector({ allowPrivate, timeoutMs, signal, lookup: ports.lookup })
    // One, as the requests of a cycle follow each other: else the next one can begin before the last connection is free.
    this.#dispatcher = new Agent({ connect, connections: 1 })
  }

  async read(feed: Feed, query: Readonly<Record<string, string>>, budget: CycleBudget): Promise<FeedAnswer> {
    const url = new URL(this.#partner.base_url + FEED_PATHS[feed])
    url.search = new URLSearchParams(query).toString()
    let isRenewed = false
    for (let refusals = 0; ; ) {
      const answer = await this.#turn(feed, url, budget)
      const { outcome, status } = answer
      if (outcome === 'read' || outcome === 'empty') return answer
      if (outcome === 'wait') this.#wait(feed, answer, refusals++, budget)
      else if (outcome === 'fail-auth' && !isRenewed) isRenewed = this.#renew(feed, status)
      else throw this.#error(FAILURES[outcome], feed, { status })
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy()
    this.#closing.abort()
  }

  /** A request in its turn. @throws what failed, without the driver's error: that may hold addresses and bytes of the body */
  async #turn(feed: Feed, url: URL, budget: CycleBudget): Promise<Answer> {
    try {
      return await this.#pace.run(() => this.#ask(feed, url, budget), budget)
    } catch (error) {
      if (budget.cutOff !== undefined) throw new PredioError(budget.cutOff, { partner: this.#partner.id })
      if (PredioError.is(error)) throw this.#error(error.code, feed, error.context)
      throw this.#error('PARTNER_UNREACHABLE', feed, { reason: reasonOf(error) })
    }
  }

  /** One deadline over connection, headers and body together: a body that drips must not outlive it (trap S4). */
  async #ask(feed: Feed, url: URL, budget: CycleBudget): Promise<Answer> {
    const ms = this.#partner.request_timeout
    const cut = new AbortController()
    const timer = setTimeout(() => cut.abort(new PredioError('PARTNER_TIMEOUT', { ms })), ms)
    const stop = (): void => cut.abort(budget.signal.reason)
    budget.signal.addEventListener('abort', stop)
    budget.requests += 1
    try {
      return await this.#exchange(feed, url, cut.signal, budget)
    } catch (error) {
      throw cut.signal.aborted ? cut.signal.reason : error
    } finally {
      clearTimeout(timer)
      budget.signal.removeEventListener('abort', stop)
    }
  }

  async #exchange(feed: Feed, url: URL, signal: AbortSignal, budget: CycleBudget): Promise<Answer> {
    const answer = await request(url, {
      dispatcher: this.#dispatcher,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, identity',
        'user-agent': 'predio',
        ...this.#credential.header,
      },
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const { statusCode: status, headers } = answer
    const outcome = outcomeOf(status)
    const dateMs = httpDateMs(textOf(headers.date))
    this.#pace.hold(pauseMs(headers, dateMs ?? this.#ports.clock.nowMs()))
    if (outcome !== 'read') {
      discard(answer.body)
      return { text: null, dateMs, status, outcome, headers }
    }
    const { text, bytes } = await readBody(answer, feed)
    budget.bytes += bytes
    return { text, dateMs, status, outcome, headers }
  }

  /** What one partner is told counts for all who share its credential. */
  #wait(feed: Feed, { status, headers, dateMs }: Answer, refusals: number, budget: CycleBudget): void {
    const { clock, log } = this.#ports
    const ms = Math.round(waitMs(textOf(headers['retry-after']), refusals, dateMs ?? clock.nowMs(), clock.chance()))
    if (!budget.spend(ms)) throw this.#error('PARTNER_BUSY', feed, { status, waitMs: ms })
    log.info({ event: 'partner_busy', partner: this.#partner.id, feed, status, waitMs: ms })
    this.#pace.hold(ms)
  }

  /** A rotated secret may stand in its file by now; the same one is not tried twice. @throws PARTNER_AUTH */
  #renew(feed: Feed, status: number): true {
    const found = this.#credential.renew()
    const reason = found === 'unreadable' ? 'the secret cannot be read again' : undefined
    if (found !== 'renewed') throw this.#error(FAILURES['fail-auth'], feed, { status, reason })
    this.#ports.log.info({ event: 'credential_renewed', partner: this.#partner.id })
    return true
  }

  #error(code: ErrorCode, feed: Feed, context: ErrorContext): PredioError {
    return new PredioError(code, { partner: this.#partner.id, feed, ...context })
  }
}

/** Codes name what happened (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`); messages may hold addresses and bodies. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  return code ?? name ?? 'unknown'
}
