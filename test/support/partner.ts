import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, type Fault, faultyAnswer, send } from './partner-fault.ts'
import { CONTRACT_SHAPE, PartnerState, type Shape, type StoredListing } from './partner-state.ts'

export type { Fault, Shape }

const PROPERTIES = '/api/v1/marketplace/properties'
const FEEDS = new Map<string, Feed>([
  [PROPERTIES, 'properties'],
  [`${PROPERTIES}/deleted`, 'deletions'],
])
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export type Feed = 'properties' | 'deletions'

export interface RecordedRequest {
  /** undefined for a path that is no feed. */
  readonly feed: Feed | undefined
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  /** Of the answer; undefined until it begins, and for ever when the request hangs. */
  status: number | undefined
  /** Arrival, milliseconds since the Unix epoch, in real time whatever the partner's clock says. */
  readonly atMs: number
}

export interface FaultMoment {
  readonly feed: Feed
  /** 0 for the first; always 0 in the deletion feed. */
  readonly page: number
  /** 1 for the first request with a good credential, over both feeds. */
  readonly requestNumber: number
  readonly query: Readonly<Record<string, string>>
}

/** Asked at each request with a good credential; undefined lets it be answered as the contract says. */
export type FaultScript = (moment: FaultMoment) => Fault | undefined

export interface PartnerOptions {
  readonly apiKey?: string
  /** Header of the credential; in `authorization` it is expected as `Bearer <apiKey>`. */
  readonly authHeader?: string
  readonly listings?: Iterable<object>
  readonly shape?: Partial<Shape>
  readonly nowMs?: () => number
  readonly fault?: FaultScript
}

interface Waiting {
  readonly predicate: (request: RecordedRequest) => boolean
  readonly resolve: (request: RecordedRequest) => void
  readonly reject: (reason: Error) => void
}

/** A partner CRM in this process that obeys the contract until a test's script makes it fail. */
export class TestPartner {
  readonly apiKey: string
  /** May be changed at any time, e.g. between two cycles. */
  readonly shape: Shape
  /** The partner's clock: header `date`, time of changes and deletions, `generated_at`. */
  nowMs: () => number
  readonly requests: RecordedRequest[] = []
  readonly #authHeader: string
  readonly #state = new PartnerState()
  readonly #server: Server
  readonly #waiting = new Set<Waiting>()
  #script: FaultScript | undefined
  #requestNumber = 0

  constructor(options: PartnerOptions) {
    this.apiKey = options.apiKey ?? 'partner-key'
    this.shape = { ...CONTRACT_SHAPE, ...options.shape }
    this.nowMs = options.nowMs ?? Date.now
    this.#authHeader = (options.authHeader ?? 'x-api-key').toLowerCase()
    this.#script = options.fault
    for (const listing of options.listings ?? []) this.put(listing)
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(error => {
        response.destroy()
        throw error // a mistake in the test's own script: vitest reports it as unhandled
      })
    })
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get listings(): ReadonlyMap<string, StoredListing> {
    return this.#state.listings
  }

  get deletions(): Map<string, number> {
    return this.#state.deletions
  }

  /** Adds or replaces it, as it is, in its place in the feed; it counts as modified now and as no longer deleted. */
  put(listing: object, changedMs = this.nowMs()): void {
    this.#state.put(listing, changedMs)
  }

  /** Takes it out of the property feed, if it is there, and reports it in the deletion feed. */
  delete(externalId: string, deletedMs = this.nowMs()): void {
    this.#state.delete(externalId, deletedMs)
  }

  /** Replaces the script; undefined ends all faults. */
  fault(script: FaultScript | undefined): void {
    this.#script = script
  }

  /** The next request that matches, when it arrives and before it is answered. Past ones are in `requests`. */
  awaitRequest(predicate: (request: RecordedRequest) => boolean): Promise<RecordedRequest> {
    const { promise, resolve, reject } = Promise.withResolvers<RecordedRequest>()
    this.#waiting.add({ predicate, resolve, reject })
    promise.catch(() => {}) // nobody need be waiting any more when the partner closes
    return promise
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting) reject(new Error('the partner was closed before such a request arrived'))
    this.#waiting.clear()
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = this.#record(request)
    const { feed, query } = recorded
    const refusal = this.#refusal(recorded)
    if (refusal !== undefined || feed === undefined) {
      const { status, message } = refusal ?? { status: 404, message: 'no such path' }
      recorded.status = status
      return send(response, this.#answer(status, Buffer.from(JSON.stringify({ message }))), undefined)
    }
    this.#requestNumber += 1
    const page = feed === 'deletions' ? 0 : Math.floor(offsetOf(query) / Number(query.limit))
    const fault = this.#script?.({ feed, page, requestNumber: this.#requestNumber, query })
    if (fault?.kind === 'before') await fault.run()
    const body = this.#body(feed, query, fault)
    const answer = faultyAnswer(fault, this.#answer(body === null ? 204 : 200, body))
    const isSilent = fault?.kind === 'hang' || (fault?.kind === 'reset' && fault.bytes === undefined)
    recorded.status = isSilent ? undefined : answer.status
    return send(response, answer, fault)
  }

  #record(request: IncomingMessage): RecordedRequest {
    const url = new URL(request.url ?? '/', this.baseUrl)
    const recorded: RecordedRequest = {
      feed: FEEDS.get(url.pathname),
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      status: undefined,
      atMs: Date.now(),
    }
    this.requests.push(recorded)
    for (const waiting of [...this.#waiting].filter(({ predicate }) => predicate(recorded))) {
      this.#waiting.delete(waiting)
      waiting.resolve(recorded)
    }
    return recorded
  }

  /** Stricter than the sample partner: what the contract requires of a request must be there. */
  #refusal({ feed, query, headers }: RecordedRequest): { status: number; message: string } | undefined {
    const expected = this.#authHeader === 'authorization' ? `Bearer ${this.apiKey}` : this.apiKey
    if (headers[this.#authHeader] !== expected) return { status: 401, message: 'invalid credential' }
    const since = feed === 'deletions' ? query.since : query.updated_since
    if (since !== undefined && (!TIMESTAMP.test(since) || Number.isNaN(Date.parse(since)))) {
      return { status: 400, message: 'malformed timestamp' }
    }
    if (feed !== 'properties') return undefined
    if (Number.isNaN(offsetOf(query))) return { status: 400, message: 'malformed offset' }
    if (!/^[1-9]\d*$/.test(query.limit ?? '')) return { status: 400, message: 'malformed limit' }
    return undefined
  }

  #body(feed: Feed, query: RecordedRequest['query'], fault: Fault | undefined): Buffer | null {
    if (feed === 'deletions') return this.#state.deleted(query.since, this.shape, this.nowMs())
    const request = { offset: offsetOf(query), limit: Number(query.limit), updatedSince: query.updated_since }
    const next = fault?.kind === 'next' ? { value: fault.next } : undefined
    return this.#state.page(request, this.shape, this.baseUrl + PROPERTIES, next)
  }

  #answer(status: number, body: Buffer | null): Answer {
    const headers = { date: new Date(this.nowMs()).toUTCString(), 'content-type': 'application/json' }
    return { status, headers, body }
  }
}

/** A number, or one of our opaque markers. */
function offsetOf({ offset = '' }: RecordedRequest['query']): number {
  return Number(/^(?:page-)?(\d+)$/.exec(offset)?.[1] ?? Number.NaN)
}

export async function startPartner(options: PartnerOptions = {}): Promise<TestPartner> {
  return new TestPartner(options).listen()
}
