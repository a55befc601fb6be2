import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** null takes a header away. */
type Headers = Readonly<Record<string, string | null>>

/** What goes wrong with one answer; the credential has been checked before. */
export type Fault =
  /** `body`: text and buffers go as they are, anything else as JSON; absent, a readable JSON message. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Headers; readonly body?: unknown }
  /** Never answered; the connection stays open. */
  | { readonly kind: 'hang' }
  /** The connection is reset: after so many bytes of the body, or, absent, before the answer begins. */
  | { readonly kind: 'reset'; readonly bytes?: number }
  /** The body is cut, and HTTP says that this was all: only the JSON can tell. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  | {
      readonly kind: 'body'
      readonly body: string | Buffer
      readonly headers?: Headers
      readonly status?: number
    }
  /** The regular answer with other headers, e.g. without `date`. */
  | { readonly kind: 'headers'; readonly headers: Headers }
  /** The regular answer, slowly. */
  | { readonly kind: 'drip'; readonly bytesPerTick: number; readonly tickMs: number }
  /** The regular page with another `meta.next`; undefined leaves it out. */
  | { readonly kind: 'next'; readonly next: unknown }
  /** Runs first, e.g. to change the data or to end a process; then the regular answer of that moment. */
  | { readonly kind: 'before'; readonly run: () => void | Promise<void> }

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** null: none, as 204 wants it. */
  readonly body: Buffer | null
}

const asBytes = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

/** The answer as it goes out; 'next' and 'before' have had their say when `regular` was made. */
export function faultyAnswer(fault: Fault | undefined, regular: Answer): Answer {
  const withHeaders = (headers: Headers = {}) => ({ ...regular.headers, ...headers })
  switch (fault?.kind) {
    case 'status': {
      const body = asBytes('body' in fault ? fault.body : { message: `scripted status ${fault.status}` })
      return { status: fault.status, headers: withHeaders(fault.headers), body: fault.status === 204 ? null : body }
    }
    case 'body':
      return { status: fault.status ?? 200, headers: withHeaders(fault.headers), body: asBytes(fault.body) }
    case 'truncate':
      return { ...regular, body: regular.body?.subarray(0, fault.bytes) ?? null }
    case 'headers':
      return { ...regular, headers: withHeaders(fault.headers) }
    default:
      return regular
  }
}

function writeHead(response: ServerResponse, { status, headers, body }: Answer): void {
  response.sendDate = false // `date` is told by the partner's clock
  const length = body === null ? {} : { 'content-length': String(body.length) }
  const all = Object.entries({ ...length, ...headers }).filter(
    (header): header is [string, string] => header[1] !== null,
  )
  response.writeHead(status, Object.fromEntries(all))
}

export async function send(response: ServerResponse, answer: Answer, fault: Fault | undefined): Promise<void> {
  const body = answer.body ?? Buffer.alloc(0)
  switch (fault?.kind) {
    case 'hang':
      return
    case 'reset':
      if (fault.bytes === undefined) return void response.socket?.resetAndDestroy()
      writeHead(response, answer)
      response.flushHeaders()
      response.write(body.subarray(0, fault.bytes), () => response.socket?.resetAndDestroy())
      return
    case 'drip':
      writeHead(response, answer)
      for (let sent = 0; sent < body.length && !response.destroyed; sent += fault.bytesPerTick) {
        response.write(body.subarray(sent, sent + fault.bytesPerTick))
        await sleep(fault.tickMs, undefined, { ref: false })
      }
      response.end()
      return
    default:
      writeHead(response, answer)
      response.end(answer.body ?? undefined)
  }
}
