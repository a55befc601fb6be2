import { createRequire } from 'node:module'
import { constants, zstdCompressSync } from 'node:zlib'
import { crc32c } from '@node-rs/crc32'
import { type BatchContext, decodeRecord } from './record-decoding.ts'
import { type BatchParts, encodeBatch, encodeRecord, type RecordParts } from './record-encoding.ts'

/**
 * kafkajs 2.2.4 is no longer released, so what it needs is mended here, before it is loaded: see ADR 2. Only
 * `kafkajs.ts` imports this.
 */
const require = createRequire(import.meta.url)
calmRequestQueue()
lookPastOpenTransactions()
encodeRecordsOnce()

interface RequestQueue {
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  readonly pending: readonly unknown[]
  checkPendingRequests(): void
}

/**
 * After every request it re-arms a timer, with a negative delay: a warning on Node 24 and some 1,750 timers a second
 * per idle consumer. A timer is only wanted while requests wait or the broker throttles us.
 */
function calmRequestQueue(): void {
  const checkPendingMs = 10
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: object }
  Object.assign(prototype, {
    scheduleCheckPendingRequests(this: RequestQueue) {
      const throttledMs = this.throttledUntil - Date.now()
      if (this.throttleCheckTimeoutId !== null || (this.pending.length === 0 && throttledMs <= 0)) return
      this.throttleCheckTimeoutId = setTimeout(
        () => {
          this.throttleCheckTimeoutId = null
          this.checkPendingRequests()
        },
        Math.max(throttledMs, checkPendingMs),
      )
    },
  })
}

const READ_UNCOMMITTED = 0

interface ListOffsets {
  protocol(version: object): (request: { isolationLevel?: number }) => unknown
}

/**
 * An admin's `fetchTopicOffsets` asks as a read_committed consumer does, so its ends lie before open transactions. A
 * checkpoint that waited for such an end would not wait for what the transaction brings. Consumers name the level that
 * they want; whoever names none gets the true end.
 */
function lookPastOpenTransactions(): void {
  const listOffsets = require('kafkajs/src/protocol/requests/listOffsets') as ListOffsets
  const { protocol } = listOffsets
  listOffsets.protocol =
    version =>
    ({ isolationLevel = READ_UNCOMMITTED, ...request }) =>
      protocol(version)({ isolationLevel, ...request })
}

const COMPRESSION_MASK = 0x07
const TRANSACTIONAL_BIT = 0x10
const ZSTD = 4

/** The lowest level: listings shrink several times over, and the broker saves more than it costs us (docs/benchmarks.md). */
const ZSTD_LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const compressions: Readonly<Record<number, ((records: Buffer) => Buffer) | undefined>> = {
  [ZSTD]: records => zstdCompressSync(records, ZSTD_LEVEL),
}

interface BatchRequest extends Omit<BatchParts, 'attributes' | 'records'> {
  readonly compression: number
  readonly transactional: boolean
  readonly records: readonly { readonly buf: Buffer }[]
}

/** kafkajs passes `Encoder`s around: a buffer and how much of it counts. */
function encodeRecordsOnce(): void {
  const { prototype } = require('kafkajs/src/protocol/encoder') as { prototype: object }
  const asEncoder = (buf: Buffer): object => Object.assign(Object.create(prototype), { buf, offset: buf.length })

  const zeroless = prototype as { ensureAvailable(this: { buf: Buffer; offset: number }, length: number): void }
  zeroless.ensureAvailable = function ensureAvailable(length) {
    const needed = this.offset + length
    if (needed <= this.buf.length) return
    const grown = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(needed + 1)))
    this.buf.copy(grown, 0, 0, this.offset)
    this.buf = grown
  }
  replace('kafkajs/src/protocol/recordBatch/crc32C', () => crc32c)
  replace(
    'kafkajs/src/protocol/recordBatch/record/v0/decoder',
    () => (decoder: { buffer: Buffer }, context: BatchContext) => decodeRecord(decoder.buffer, context),
  )
  replace('kafkajs/src/protocol/recordBatch/record/v0', () => (parts: RecordParts) => asEncoder(encodeRecord(parts)))
  replace(
    'kafkajs/src/protocol/recordBatch/v0',
    (original: { RecordBatch: (request: BatchRequest) => Promise<object> }) => ({
      ...original,
      RecordBatch: async (request: BatchRequest) => {
        const compression = request.compression & COMPRESSION_MASK
        const compress = compressions[compression]
        if (compression !== 0 && compress === undefined) return original.RecordBatch(request)
        const attributes = compression | (request.transactional ? TRANSACTIONAL_BIT : 0)
        const records = request.records.map(({ buf }) => buf)
        return asEncoder(encodeBatch({ ...request, attributes, records }, crc32c, compress))
      },
    }),
  )
}

/** Puts something else in a module's place, for the modules that are loaded after it. */
function replace<Exports>(module: string, mend: (original: Exports) => unknown): void {
  const path = require.resolve(module)
  const original = require(path) as Exports
  require.cache[path]!.exports = mend(original)
}
