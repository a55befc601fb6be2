import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutByBytes, SEND_MAX_BYTES, sizeBytesOf } from '../../../connectors/kafka/message-size.ts'
import { encodeRecord } from '../../../connectors/kafka/record-encoding.ts'

/** What a record takes beside its key, value and headers. */
const OVERHEAD = 24
/** A message that sizeBytesOf puts at exactly so many bytes. */
const sized = (bytes: number) => ({ key: null, value: 'x'.repeat(bytes - OVERHEAD) })

describe('sizeBytesOf', () => {
  test.each([
    { name: 'nothing', message: { value: null }, bytes: OVERHEAD },
    { name: 'a key', message: { key: 'acme/1', value: null }, bytes: OVERHEAD + 6 },
    { name: 'a value', message: { key: null, value: 'abc' }, bytes: OVERHEAD + 3 },
    { name: 'text is counted as UTF-8', message: { value: 'ñ办😀' }, bytes: OVERHEAD + 9 },
    { name: 'a buffer by its length', message: { key: Buffer.alloc(2), value: Buffer.alloc(5) }, bytes: OVERHEAD + 7 },
    {
      name: 'headers by name and value',
      message: { value: null, headers: { ce_id: 'ñ', x: Buffer.alloc(3) } },
      bytes: OVERHEAD + 5 + 4 + 2 + 1 + 4 + 3,
    },
    { name: 'a header without a value', message: { value: null, headers: { x: undefined } }, bytes: OVERHEAD + 5 },
  ])('$name', ({ message, bytes }) => {
    expect(sizeBytesOf(message)).toBe(bytes)
  })

  test('is no less than what Kafka’s record format takes, with up to ten headers', () => {
    const text = fc.string({ maxLength: 40 })
    const headers = fc.dictionary(fc.stringMatching(/^[a-z_.]{1,20}$/), text, { maxKeys: 10 })
    fc.assert(
      fc.property(text, text, headers, (key, value, named) => {
        const record = encodeRecord({
          offsetDelta: 10_000,
          timestampDelta: 0,
          key: Buffer.from(key),
          value: Buffer.from(value),
          headers: named,
        })
        expect(sizeBytesOf({ key, value, headers: named })).toBeGreaterThanOrEqual(record.length)
      }),
    )
  })
})

describe('cutByBytes (design section 5: a send is one record batch)', () => {
  test('a send stays well below the broker’s 1 MiB', () => {
    expect(SEND_MAX_BYTES).toBeLessThan(1_048_576 * 0.9)
  })

  test.each<{ name: string; sizes: number[]; runs: number[][] }>([
    { name: 'nothing', sizes: [], runs: [] },
    { name: 'one record', sizes: [50], runs: [[50]] },
    { name: 'what fits exactly stays together', sizes: [40, 60], runs: [[40, 60]] },
    { name: 'a byte more does not', sizes: [41, 60], runs: [[41], [60]] },
    { name: 'one that is exactly a run', sizes: [100, 30], runs: [[100], [30]] },
    { name: 'one that is larger than a run goes alone', sizes: [30, 101, 30], runs: [[30], [101], [30]] },
    { name: 'and so does a first one', sizes: [150], runs: [[150]] },
    { name: 'counting begins anew with each run', sizes: [60, 60, 40, 40, 60], runs: [[60], [60, 40], [40, 60]] },
  ])('$name', ({ sizes, runs }) => {
    const cut = cutByBytes(sizes.map(sized), 100)
    expect(cut.map(run => run.map(sizeBytesOf))).toEqual(runs)
  })

  test('by itself it cuts at SEND_MAX_BYTES', () => {
    const half = sized(SEND_MAX_BYTES / 2)
    expect(cutByBytes([half, half]).map(run => run.length)).toEqual([2])
    expect(cutByBytes([half, half, sized(OVERHEAD)]).map(run => run.length)).toEqual([2, 1])
  })

  test('loses nothing, keeps the order, and no run could take the next record', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: OVERHEAD, max: 130 })), sizes => {
        const messages = sizes.map(sized)
        const runs = cutByBytes(messages, 100)
        expect(runs.flat()).toEqual(messages)
        const bytesOf = (run: typeof messages): number => run.reduce((sum, message) => sum + sizeBytesOf(message), 0)
        for (const [index, run] of runs.entries()) {
          expect(bytesOf(run) <= 100 || run.length === 1).toBe(true)
          if (index > 0) expect(bytesOf(runs[index - 1]!) + sizeBytesOf(run[0]!)).toBeGreaterThan(100)
        }
      }),
    )
  })
})
