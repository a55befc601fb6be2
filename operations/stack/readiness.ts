import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFailure, type WatchedChild } from './watched-child.ts'

const LOOK_AGAIN_MS = 50
const ANSWER_LIMIT_MS = 2_000

/**
 * @param probe   true once the part does its work; must not throw
 * @param limitMs from now
 * @throws        STACK_START_FAILED when the child ends first or the limit passes, with its log and the line that
 *                matters; the signal's reason when that fires
 */
export async function untilReady(
  child: WatchedChild,
  probe: () => Promise<boolean>,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const limit = setTimeout(() => over.abort(), limitMs)
  child.exited.then(() => over.abort())
  try {
    while (!(await probe())) await sleep(LOOK_AGAIN_MS, undefined, { signal: either })
  } catch (error) {
    signal.throwIfAborted()
    throw await startFailure(child, error)
  } finally {
    clearTimeout(limit)
  }
}

/** Runs a child that is to end by itself. @throws STACK_START_FAILED unless it ends with 0 */
export async function untilDone(child: WatchedChild): Promise<void> {
  const { code } = await child.exited
  if (code !== 0) throw await startFailure(child)
}

export async function answersTcp(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function answersHttp(url: URL): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
