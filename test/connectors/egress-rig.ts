import { once } from 'node:events'
import type { AddressInfo, LookupFunction, Server } from 'node:net'
import { Agent, type buildConnector } from 'undici'
import { onTestFinished } from 'vitest'
import { guardedConnector } from '../../connectors/egress.ts'

/** Listens on a free port until the test ends. */
export const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

interface Door {
  readonly allowPrivate?: boolean
  readonly lookup?: LookupFunction
  readonly tcp?: buildConnector.connector
  readonly signal?: AbortSignal
}

/** An agent behind the guard. */
export function agentWith({ allowPrivate = false, ...door }: Door = {}): Agent {
  const agent = new Agent({ connect: guardedConnector({ allowPrivate, timeoutMs: 1_000, ...door }) })
  onTestFinished(() => agent.destroy())
  return agent
}

export const resolvingTo =
  (...addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
