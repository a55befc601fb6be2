import { createRequire } from 'node:module'
import { expect, test, vi } from 'vitest'
import '../../../connectors/kafka/kafkajs.ts'

const require = createRequire(import.meta.url)

interface Queue {
  throttleCheckTimeoutId: NodeJS.Timeout | null
  maybeThrottle(ms: number): void
  scheduleCheckPendingRequests(): void
  push(request: object): void
  destroy(): void
}

function queue(maxInFlightRequests: number): Queue {
  const Queue = require('kafkajs/src/network/requestQueue') as new (options: object) => Queue
  const log = { debug() {}, warn() {} }
  return new Queue({ maxInFlightRequests, requestTimeout: 1_000, clientId: 'c', broker: 'b', logger: log })
}

const request = (correlationId: number) => ({
  entry: { correlationId, resolve() {}, reject() {} },
  expectResponse: true,
  sendRequest() {},
})

test('an idle request queue sets no timer', () => {
  const idle = queue(5)
  idle.scheduleCheckPendingRequests()
  expect(idle.throttleCheckTimeoutId).toBeNull()
})

test('a request queue sets a timer while requests wait for others in flight', () => {
  const busy = queue(1)
  busy.push(request(1))
  expect(busy.throttleCheckTimeoutId).toBeNull()
  busy.push(request(2))
  expect(busy.throttleCheckTimeoutId).not.toBeNull()
  busy.destroy()
})

test('a throttled request queue looks again when the broker allows it, and not before', () => {
  vi.useFakeTimers()
  try {
    const throttled = queue(5)
    throttled.maybeThrottle(500)
    const sent = vi.fn()
    throttled.push({ ...request(1), sendRequest: sent })
    vi.advanceTimersByTime(499)
    expect(sent).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(sent).toHaveBeenCalledOnce()
    throttled.destroy()
  } finally {
    vi.useRealTimers()
  }
})

test('what kafkajs produces goes through our encoders', async () => {
  const Record = require('kafkajs/src/protocol/recordBatch/record/v0') as (parts: object) => {
    buf: Buffer
    offset: number
  }
  const { buf, offset } = Record({ value: Buffer.from('v') })
  expect(buf.length).toBe(offset) // kafkajs's own leaves room behind
})
