/**
 * One column of many rows as one statement parameter: PostgreSQL arrays in binary form. As text, quoting here and
 * unquoting there cost a quarter of the throughput (JSON bodies are full of quotes).
 *
 * @source PostgreSQL 18, src/backend/utils/adt/arrayfuncs.c, array_recv
 */
const OID = { bigint: 20, text: 25, float8: 701, timestamptz: 1184 } as const
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
/** A UTF-16 code unit has at most three bytes in UTF-8; a pair has four. */
const UTF8_BYTES_PER_UNIT = 3
/** Never part of UTF-8, so the server refuses a text that has it. */
const NO_UTF8 = 0xff
/** PostgreSQL counts from 2000-01-01. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1)

type Column<T> = readonly (T | null)[]

/** Text with a lone surrogate is sent so that the server refuses it (22021): Node would silently put U+FFFD instead. */
export function textArray(values: Column<string>): Buffer {
  const mostBytes = values.reduce((sum, value) => sum + (value?.length ?? 0) * UTF8_BYTES_PER_UNIT + LENGTH_BYTES, 0)
  const buffer = headed(values.length, OID.text, mostBytes)
  let at = HEADER_BYTES
  for (const value of values) {
    const length = value === null ? NULL_LENGTH : buffer.write(value, at + LENGTH_BYTES)
    buffer.writeInt32BE(length, at)
    at += LENGTH_BYTES
    if (value !== null && !value.isWellFormed()) buffer[at] = NO_UTF8
    at += Math.max(length, 0)
  }
  return buffer.subarray(0, at)
}

export function bigintArray(values: Column<number>): Buffer {
  return eightByteArray(values, OID.bigint, (buffer, value, at) => buffer.writeBigInt64BE(BigInt(value), at))
}

export function doubleArray(values: Column<number>): Buffer {
  return eightByteArray(values, OID.float8, (buffer, value, at) => buffer.writeDoubleBE(value, at))
}

/** @param values milliseconds since the Unix epoch */
export function timestampArray(values: Column<number>): Buffer {
  return eightByteArray(values, OID.timestamptz, (buffer, valueMs, at) =>
    buffer.writeBigInt64BE(BigInt(valueMs - POSTGRES_EPOCH_MS) * 1_000n, at),
  )
}

/** Texts as one array literal, for a column that is an array itself: `unnest` would take nested arrays apart. */
export function arrayLiteral(values: readonly string[]): string {
  return values.length === 0 ? '{}' : `{"${values.map(escapeElement).join('","')}"}`
}

function escapeElement(value: string): string {
  return /["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value
}

function eightByteArray(
  values: Column<number>,
  oid: number,
  write: (buffer: Buffer, value: number, at: number) => void,
): Buffer {
  const buffer = headed(values.length, oid, values.length * (LENGTH_BYTES + 8))
  let at = HEADER_BYTES
  for (const value of values) {
    buffer.writeInt32BE(value === null ? NULL_LENGTH : 8, at)
    at += LENGTH_BYTES
    if (value === null) continue
    write(buffer, value, at)
    at += 8
  }
  return buffer.subarray(0, at)
}

/** One dimension that counts from 1. */
function headed(elements: number, oid: number, mostBytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + mostBytes)
  const hasNulls = 1 // the server takes this as "may have"
  for (const [index, word] of [1, hasNulls, oid, elements, 1].entries()) buffer.writeInt32BE(word, index * 4)
  return buffer
}
