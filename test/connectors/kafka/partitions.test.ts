import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partitionOf } from '../../../connectors/kafka/partitions.ts'

/** murmur2 of Apache Kafka, from its own `UtilsTest.testMurmur2`. */
const MURMUR2 = [
  ['21', -973_932_308],
  ['foobar', -790_332_482],
  ['a-little-bit-long-string', -985_981_536],
  ['a-little-bit-longer-string', -1_486_304_829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
  ['abc', 479_470_107],
] as const

describe('partitionOf', () => {
  test.each(MURMUR2)('%s: the partition that any Kafka client gives this key', (key, hash) => {
    for (const partitions of [1, 2, 6, 7, 1_000]) {
      expect(partitionOf(key, partitions)).toBe((hash & 0x7fff_ffff) % partitions)
    }
  })

  test('is one of the partitions, the same every time', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,40}$/), fc.integer({ min: 1, max: 200 }), (partner, partitions) => {
        const partition = partitionOf(partner, partitions)
        expect(partition).toBeGreaterThanOrEqual(0)
        expect(partition).toBeLessThan(partitions)
        expect(partitionOf(partner, partitions)).toBe(partition)
      }),
    )
  })

  test('spreads partners over the partitions', () => {
    const counts = Array.from({ length: 6 }, () => 0)
    for (let number = 0; number < 600; number++) counts[partitionOf(`partner-${number}`, 6)]! += 1
    for (const count of counts) expect(count).toBeGreaterThan(60)
  })
})
