import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Message } from 'kafkajs'

/**
 * Loaded into a role's process before the role (`node --import`), it ends or freezes that process at an exact place of
 * its talk with a server: a place that no signal from outside could be timed to. What does it is the real SIGKILL or
 * SIGSTOP, and the role knows nothing of it. `FAIL_POINT` holds a FailPoint as JSON.
 */
export interface FailPoint {
  /** `before`: the request is not sent. `after`: its answer has come and nobody has seen it. */
  readonly when: 'before' | 'after'
  /** A request to Kafka, or `COMMIT` to PostgreSQL. `commitTransaction` is an EndTxn that commits. */
  readonly request: 'produce' | 'initProducerId' | 'addOffsetsToTxn' | 'commitTransaction' | 'offsetCommit' | 'COMMIT'
  /** Of a `produce`: only where its first record is of this type (`ce_type`). */
  readonly type?: string
  /** Which one of those requests, from 1. */
  readonly nth: number
  readonly signal: 'SIGKILL' | 'SIGSTOP'
}

/** As kafkajs has it. */
interface ProduceRequest {
  readonly topicData: readonly { readonly partitions: readonly { readonly messages: readonly Message[] }[] }[]
}

type Method = (this: unknown, ...args: unknown[]) => unknown

const require = createRequire(import.meta.url)
if (process.env.FAIL_POINT !== undefined) arm(JSON.parse(process.env.FAIL_POINT))

function arm(point: FailPoint): void {
  if (point.request === 'COMMIT') {
    const { prototype } = (require('pg') as { Client: { prototype: Record<string, Method> } }).Client
    wrap(prototype, 'query', ([text]) => text === 'COMMIT', point)
    return
  }
  const { prototype } = require('kafkajs/src/broker') as { prototype: Record<string, Method> }
  if (point.request === 'commitTransaction') {
    const commits = ([request]: unknown[]) => (request as { transactionResult: boolean }).transactionResult
    wrap(prototype, 'endTxn', commits, point)
    return
  }
  const concerns = ([request]: unknown[]): boolean => {
    if (point.type === undefined) return true
    const { topicData } = request as ProduceRequest
    return topicData[0]?.partitions[0]?.messages[0]?.headers?.ce_type === point.type
  }
  wrap(prototype, point.request, concerns, point)
}

function wrap(
  prototype: Record<string, Method>,
  name: string,
  concerns: (args: unknown[]) => boolean,
  { when, nth, signal, request }: FailPoint,
): void {
  const original = prototype[name]!
  let seen = 0
  const fail = (): void => {
    writeSync(1, `${JSON.stringify({ event: 'fail_point', when, request, signal })}\n`)
    process.kill(process.pid, signal)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100) // not a step further until the signal is here
  }
  prototype[name] = function (...args) {
    if (!concerns(args) || ++seen !== nth) return original.apply(this, args)
    if (when === 'before') {
      fail() // with SIGSTOP it goes on from here when it is woken
      return original.apply(this, args)
    }
    return Promise.resolve(original.apply(this, args)).then(answer => {
      fail()
      return answer
    })
  }
}
