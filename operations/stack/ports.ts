import { createServer, type Server } from 'node:net'
import { PredioError } from '../../schemas/errors.ts'

export const PORT_NAMES = ['kafka', 'controller', 'registry', 'postgres'] as const
export type PortName = (typeof PORT_NAMES)[number]
export type Ports = Readonly<Record<PortName, number>>

export type PortChoice =
  | { readonly kind: 'use'; readonly port: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'taken'; readonly port: number }

/** A given port is a must; last time's is kept while it is free, so that yesterday's URLs stay valid. */
export function choosePort(given: number | undefined, last: number | undefined, free: (port: number) => boolean) {
  if (given !== undefined && given !== 0) return { kind: free(given) ? 'use' : 'taken', port: given } as PortChoice
  return (last !== undefined && free(last) ? { kind: 'use', port: last } : { kind: 'any' }) as PortChoice
}

/**
 * Free loopback ports. They are all held while choosing, so no two are the same.
 *
 * @throws STACK_START_FAILED when a given port is taken
 */
export async function claimPorts(given: Partial<Ports>, last: Partial<Ports>): Promise<Ports> {
  const held = new Map<number, Server>()
  try {
    for (const port of new Set([...Object.values(given), ...Object.values(last)])) {
      const server = await listening(port)
      if (server !== undefined) held.set(port, server)
    }
    const used = new Set<number>()
    const ports: Partial<Record<PortName, number>> = {}
    for (const name of PORT_NAMES) {
      const choice = choosePort(given[name], last[name], port => held.has(port) && !used.has(port))
      if (choice.kind === 'taken')
        throw new PredioError('STACK_START_FAILED', { part: name, reason: `port ${choice.port} is taken` })
      ports[name] = choice.kind === 'use' ? choice.port : await anyPort(held)
      used.add(ports[name])
    }
    return ports as Ports
  } finally {
    await Promise.all([...held.values()].map(server => new Promise(done => server.close(done))))
  }
}

async function anyPort(held: Map<number, Server>): Promise<number> {
  const server = await listening(0)
  const address = server?.address()
  if (server === undefined || address === null || typeof address !== 'object')
    throw new PredioError('STACK_START_FAILED', { reason: 'no free port on 127.0.0.1' })
  held.set(address.port, server)
  return address.port
}

function listening(port: number): Promise<Server | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1' }, () => resolve(server))
  })
}
