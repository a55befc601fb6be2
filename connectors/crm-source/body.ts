import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { PredioError } from '../../schemas/errors.ts'
import type { Feed } from '../../schemas/feeds.ts'

/** A larger answer is cut off, counted after decompression: a page of 200 listings has some 250 KB. */
export const BODY_MAX_BYTES = 64 * 1024 * 1024

/** Below it, no body can hold so many values that parsing it hurts. */
const UNCOUNTED_BYTES = 2 * 1024 * 1024
/** JSON of brackets and commas alone takes 40 times its size in memory, and 64 MiB of it 14 s of everybody's time. */
const VALUES_MAX = 2_000_000

export interface Body {
  readonly text: string
  /** Decoded. */
  readonly bytes: number
}

/**
 * The whole body as text, if it is UTF-8 in at most one gzip coding. What is too large is cut off without reading on, and
 * the connection with it.
 *
 * @throws PARTNER_BODY_TOO_LARGE, PARTNER_BODY_UNREADABLE; as they come, errors of the connection
 */
export async function readBody({ body, headers }: Dispatcher.ResponseData, feed: Feed): Promise<Body> {
  const coding = codingOf(headers['content-encoding'])
  if (coding === undefined) {
    discard(body)
    throw new PredioError('PARTNER_BODY_UNREADABLE', { feed, reason: 'another content coding than one gzip' })
  }
  if (Number(headers['content-length']) > BODY_MAX_BYTES) {
    discard(body)
    throw tooLarge(feed)
  }
  // For `pipeline`, a broken stream on either side ends the other one; the error is thrown by reading from it.
  const decoded = coding === 'gzip' ? pipeline(body, createGunzip(), () => {}) : body
  const bytes = await collect(decoded, feed)
  if (bytes.length > UNCOUNTED_BYTES && valuesIn(bytes) > VALUES_MAX) throw tooLarge(feed)
  return { text: decode(bytes, feed), bytes: bytes.length }
}

/** Closes the connection, unless the body has come whole with the headers. */
export function discard(body: Readable): void {
  body.on('error', () => {}).destroy()
}

const tooLarge = (feed: Feed): PredioError =>
  new PredioError('PARTNER_BODY_TOO_LARGE', { feed, maxBytes: BODY_MAX_BYTES, maxValues: VALUES_MAX })

/** @returns undefined for what was not asked for, and for more than one coding: each could blow the body up again */
function codingOf(header: string | string[] | undefined): 'gzip' | 'identity' | undefined {
  switch (String(header ?? '').toLowerCase()) {
    case '':
    case 'identity':
      return 'identity'
    case 'gzip':
    case 'x-gzip':
      return 'gzip'
    default:
      return undefined
  }
}

async function collect(decoded: AsyncIterable<Buffer>, feed: Feed): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of decoded) {
      bytes += chunk.length
      if (bytes > BODY_MAX_BYTES) throw tooLarge(feed) // leaving the loop destroys the streams
      chunks.push(chunk)
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw new PredioError('PARTNER_BODY_UNREADABLE', { feed, reason: 'broken gzip' })
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)
}

/** At least as many as the JSON has: also counts what stands inside texts. */
function valuesIn(bytes: Buffer): number {
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++ // , [ {
  }
  return values
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer, feed: Feed): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    throw new PredioError('PARTNER_BODY_UNREADABLE', { feed, reason: 'no valid UTF-8' })
  }
}
