import { getEventListeners, once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { request } from 'undici'
import { beforeAll, describe, expect, test } from 'vitest'
import { agentWith, listening, resolvingTo } from './egress-rig.ts'
import { selfSigned } from './self-signed.ts'

describe('TLS over the connection that was checked', () => {
  const pair = selfSigned()
  beforeAll(() => {
    const before = getCACertificates()
    setDefaultCACertificates([...before, pair.cert])
    return () => setDefaultCACertificates(before)
  })

  async function secure() {
    const names: (string | false | null)[] = []
    const sockets: Duplex[] = []
    const server = createHttpsServer(pair, (_, response) => response.end('ok'))
    server.on('secureConnection', socket => names.push(socket.servername))
    server.on('connection', socket => sockets.push(socket))
    return { port: await listening(server), names, sockets }
  }

  test('the partner’s name is what is asked for and checked, not the address', async () => {
    const { port, names, sockets } = await secure()
    const dispatcher = agentWith({ allowPrivate: true, lookup: resolvingTo('127.0.0.1') })
    for (let count = 0; count < 3; count++) {
      const { body } = await request(`https://crm.acme.example:${port}/`, { dispatcher })
      expect(await body.text()).toBe('ok')
      await new Promise(setImmediate) // the connection is free again
    }
    expect(names).toEqual(['crm.acme.example'])
    expect(sockets).toHaveLength(1)
  })

  test('an IP literal that the certificate names', async () => {
    const { port, names } = await secure()
    const { body } = await request(`https://127.0.0.1:${port}/`, { dispatcher: agentWith({ allowPrivate: true }) })
    expect(await body.text()).toBe('ok')
    expect(names).toEqual([false])
  })

  test('a certificate for another name is refused, and the connection closed', async () => {
    const { port, sockets } = await secure()
    const dispatcher = agentWith({ allowPrivate: true, lookup: resolvingTo('127.0.0.1') })
    const asked = request(`https://other.example:${port}/`, { dispatcher })
    await expect(asked).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    if (!sockets[0]!.closed) await once(sockets[0]!, 'close')
  })

  test('a certificate that nobody vouches for is refused', async () => {
    const server = createHttpsServer(selfSigned(), (_, response) => response.end('ok'))
    const port = await listening(server)
    const asked = request(`https://localhost:${port}/`, { dispatcher: agentWith({ allowPrivate: true }) })
    await expect(asked).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  test('a connection that is over leaves nothing behind', async () => {
    const { port, sockets } = await secure()
    const { signal } = new AbortController()
    for (let count = 1; count <= 3; count++) {
      const dispatcher = agentWith({ allowPrivate: true, signal })
      await (await request(`https://localhost:${port}/`, { dispatcher })).body.text()
      expect(getEventListeners(signal, 'abort')).not.toHaveLength(0)
      await dispatcher.destroy()
      if (!sockets.at(-1)!.closed) await once(sockets.at(-1)!, 'close')
      await new Promise(setImmediate)
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    }
  })

  test('the signal ends a handshake that nobody answers', async () => {
    const closing = new AbortController()
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const server = createServer(socket => {
      socket.once('data', () => closing.abort()).on('error', () => {})
      socket.once('close', () => resolve())
    })
    const dispatcher = agentWith({ allowPrivate: true, signal: closing.signal })
    await expect(request(`https://localhost:${await listening(server)}/`, { dispatcher })).rejects.toThrow()
    await closed
  })

  test('what speaks no TLS is refused', async () => {
    const port = await listening(createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    const asked = request(`https://localhost:${port}/`, { dispatcher: agentWith({ allowPrivate: true }) })
    await expect(asked).rejects.toMatchObject({ code: expect.stringMatching(/^(ERR_SSL_|EPROTO)/) })
  })
})
