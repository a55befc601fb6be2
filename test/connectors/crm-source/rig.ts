import { once } from 'node:events'
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net'
import pino, { type Logger } from 'pino'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../../connectors/crm-source/clock.ts'
import { CycleBudget } from '../../../connectors/crm-source/cycle-budget.ts'
import { type FeedAnswer, type PartnerClient, partnerClients } from '../../../connectors/crm-source/partner-client.ts'
import { type Partner, parsePartners } from '../../../connectors/partners.ts'
import { PredioError } from '../../../schemas/errors.ts'
import type { Feed } from '../../../schemas/feeds.ts'
import { type PartnerOptions, startPartner, type TestPartner } from '../../support/partner.ts'

/** Thursday, noon. */
export const NOW_MS = Date.UTC(2026, 0, 15, 12)
export const HOUR_MS = 3_600_000

export interface FakeClock extends Clock {
  readonly slept: readonly number[]
  advance(ms: number): void
}

/** Time passes only while somebody sleeps, or when it is told to. */
export function fakeClock(startMs = NOW_MS): FakeClock {
  const slept: number[] = []
  let nowMs = startMs
  return {
    slept,
    nowMs: () => nowMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      if (ms <= 0) return
      slept.push(ms)
      nowMs += ms
    },
    chance: () => 1,
    advance(ms) {
      nowMs += ms
    },
  }
}

/** As the partner file gives it: an unlimited rate, and what is named here. */
export function partnerAt(baseUrl: string, changes: object = {}): Partner {
  const { partners, mistakes } = parsePartners(
    JSON.stringify({
      partners: [
        {
          id: 'acme',
          base_url: baseUrl,
          auth: { header: 'x-api-key', secret: 'env:KEY' },
          requests_per_minute: 6_000_000,
          allow_private: true,
          ...changes,
        },
      ],
    }),
  )
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes))
  return partners[0]!
}

export interface RigOptions {
  readonly key?: string
  readonly clock?: FakeClock
  readonly lookup?: LookupFunction
  readonly stop?: AbortSignal
  /** Default: the partner's. */
  readonly cycleTimeoutMs?: number
  readonly changes?: object
}

export interface Rig {
  readonly client: PartnerClient
  readonly budget: CycleBudget
  readonly clock: FakeClock
  /** Log lines, as written. */
  readonly lines: readonly string[]
  read(feed?: Feed, query?: Readonly<Record<string, string>>): Promise<FeedAnswer>
  /** What a read fails with; the test fails when it does not. */
  failure(feed?: Feed, query?: Readonly<Record<string, string>>): Promise<PredioError>
}

export type { Fault, PartnerOptions } from '../../support/partner.ts'
export const PAGE = { offset: '0', limit: '200' }

/** A client of its own, with one cycle's budget. */
export function rigAt(baseUrl: string, options: RigOptions = {}): Rig {
  const { key = 'partner-key', clock = fakeClock(), lookup, stop = new AbortController().signal } = options
  const { log, lines } = recordingLog()
  const partner = partnerAt(baseUrl, options.changes)
  const ports = { variables: { KEY: key }, clock, log, ...(lookup && { lookup }) }
  const client = partnerClients([partner], ports).get(partner.id)!
  onTestFinished(() => client.close())
  const budget = new CycleBudget(stop, options.cycleTimeoutMs ?? partner.cycle_timeout)
  const read: Rig['read'] = (feed = 'properties', query = PAGE) => client.read(feed, query, budget)
  const failure: Rig['failure'] = (feed, query) =>
    read(feed, query).then(
      () => {
        throw new Error('it did not fail')
      },
      error => {
        if (PredioError.is(error)) return error
        throw error
      },
    )
  return { client, budget, clock, lines, read, failure }
}

export function recordingLog(): { log: Logger; lines: string[] } {
  const lines: string[] = []
  return { log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }), lines }
}

/** The scripted partner of test/support, closed when the test ends. */
export async function partnerFor(options: PartnerOptions = {}): Promise<TestPartner> {
  const partner = await startPartner(options)
  onTestFinished(() => partner.close())
  return partner
}

export interface RawServer {
  readonly baseUrl: string
  readonly port: number
  /** Every connection there was. */
  readonly sockets: readonly Socket[]
  /** All that was ever received, as latin1. */
  readonly received: string
  /** Resolves when no connection is open any more. */
  allClosed(): Promise<void>
}

/** Speaks what no HTTP library would; `answer` is called with each request's first bytes. */
export async function rawServer(answer: (socket: Socket, request: string) => void): Promise<RawServer> {
  const sockets: Socket[] = []
  let received = ''
  const server: Server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {}) // we are reset on purpose
    socket.on('data', data => {
      received += data.toString('latin1')
      answer(socket, data.toString('latin1'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    sockets,
    get received() {
      return received
    },
    async allClosed() {
      const closed = (socket: Socket) =>
        new Promise(resolve => (socket.closed ? resolve(0) : socket.on('close', resolve)))
      await Promise.all(sockets.map(closed))
    },
  }
}

/** Head of an answer, CRLF and all. */
export const head = (status: string, headers: Readonly<Record<string, string | number>> = {}): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
