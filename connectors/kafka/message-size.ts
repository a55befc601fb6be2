import type { Message } from 'kafkajs'

/**
 * A send puts all records of a partition into one batch, whose uncompressed size the broker holds against
 * `max.message.bytes` (1 MiB unless changed): so sends are cut well below it (design section 5).
 */
export const SEND_MAX_BYTES = 900_000

/** Bytes that a record takes beside key, value and headers: lengths, attributes, offset and time deltas. */
const RECORD_OVERHEAD_BYTES = 24

export function sizeBytesOf({ key, value, headers }: Message): number {
  let bytes = RECORD_OVERHEAD_BYTES + lengthOf(key) + lengthOf(value)
  for (const name in headers) bytes += name.length + 4 + lengthOf(headers[name] as Buffer | string)
  return bytes
}

const lengthOf = (part: Buffer | string | null | undefined): number =>
  part === null || part === undefined ? 0 : typeof part === 'string' ? Buffer.byteLength(part) : part.length

/** Cuts records, in order, into runs of at most `maxBytes`; a record that is larger alone makes a run of its own. */
export function cutByBytes<M extends Message>(messages: readonly M[], maxBytes = SEND_MAX_BYTES): M[][] {
  const runs: M[][] = []
  let run: M[] = []
  let bytes = 0
  for (const message of messages) {
    const size = sizeBytesOf(message)
    if (run.length > 0 && bytes + size > maxBytes) {
      runs.push(run)
      run = []
      bytes = 0
    }
    run.push(message)
    bytes += size
  }
  if (run.length > 0) runs.push(run)
  return runs
}
