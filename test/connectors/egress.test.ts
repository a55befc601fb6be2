import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type LookupFunction, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import { buildConnector, request } from 'undici'
import { describe, expect, test } from 'vitest'
import { guardedLookup, ownAddresses, refusedClassOf } from '../../connectors/egress.ts'
import { agentWith, listening, resolvingTo } from './egress-rig.ts'

describe('refusedClassOf', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'link local'],
    ['fe80::1', 'link local'],
    ['fe80::1%eth0', 'link local'],
    ['100.64.0.1', 'carrier grade nat'],
    ['100.127.255.255', 'carrier grade nat'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['::', 'unspecified'],
    ['255.255.255.255', 'broadcast'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['ff02::1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['192.0.0.8', 'reserved'],
    ['198.18.0.1', 'reserved'], // benchmarking
    ['2001:2::1', 'benchmarking'],
    ['192.0.2.1', 'reserved'], // documentation, as the next ones
    ['198.51.100.1', 'reserved'],
    ['203.0.113.1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['192.88.99.1', 'reserved'], // 6to4 relays
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['::ffff:10.0.0.1', 'private'],
    ['::ffff:169.254.169.254', 'link local'],
    ['::127.0.0.1', 'reserved'], // IPv4-compatible, as the next ones
    ['::8.8.8.8', 'reserved'],
    ['::808:808', 'reserved'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b::808:808', 'NAT64'],
    ['64:ff9b:1::1', 'NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001::1', 'teredo'],
    ['2001:10::1', 'deprecated orchid'],
    ['2001:20::1', 'orchid2'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fec0::1', 'deprecated site local'],
    ['100::1', 'discard'],
    ['5f00::1', 'segment routing'],
    ['4000::1', 'reserved'], // given to nobody yet
    ['192.52.193.1', 'amt'],
    ['192.31.196.1', 'as112'],
    ['', 'unreadable'],
    ['crm.acme.example', 'unreadable'],
    ['1.2.3.4.5', 'unreadable'],
  ])('%s is %s', (address, found) => {
    expect(refusedClassOf(address)).toBe(found)
  })

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2a00:1450::200e',
  ])('%s is public', address => {
    expect(refusedClassOf(address)).toBeUndefined()
  })

  test('this machine’s own addresses are refused, public ones too', () => {
    expect(refusedClassOf('8.8.8.8', new Set(['8.8.8.8']))).toBe('this machine')
    expect(refusedClassOf('::ffff:8.8.8.8', new Set(['8.8.8.8']))).toBe('this machine')
    expect(refusedClassOf('8.8.4.4', new Set(['8.8.8.8']))).toBeUndefined()
    for (const address of Object.values(networkInterfaces()).flatMap(all => all ?? [])) {
      expect(refusedClassOf(address.address, ownAddresses())).toBeDefined()
    }
  })

  test('no IPv4 address changes its class by being written as IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), address => {
        expect(refusedClassOf(`::ffff:${address}`)).toBe(refusedClassOf(address))
      }),
    )
  })

  test('any text has an answer', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6()), text => void refusedClassOf(text)))
  })
})

/** Counts connections and keeps what they said; whoever gets here was not refused. */
async function bystander() {
  const sockets: Socket[] = []
  const received: Buffer[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('data', data => received.push(data)).on('error', () => {})
  })
  const port = await listening(server)
  return { port, sockets, received }
}

const refused = (host: string, address: string) => ({ code: 'PARTNER_ADDRESS_REFUSED', context: { host, address } })

describe('the guard', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1', 'loopback'],
    ['127.1', '127.0.0.1', 'loopback'],
    ['0x7f.1', '127.0.0.1', 'loopback'],
    ['0177.0.0.1', '127.0.0.1', 'loopback'],
    ['2130706433', '127.0.0.1', 'loopback'],
    ['１２７.０.０.１', '127.0.0.1', 'loopback'],
    ['127。0。0。1', '127.0.0.1', 'loopback'],
    ['0', '0.0.0.0', 'unspecified'],
    ['[::1]', '::1', 'loopback'],
    ['[::]', '::', 'unspecified'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1', 'loopback'],
    ['[::ffff:7f00:1]', '::ffff:7f00:1', 'loopback'],
    ['169.254.169.254', '169.254.169.254', 'link local'],
    ['[fd00:ec2::254]', 'fd00:ec2::254', 'unique local'],
  ])('row 26: an IP literal, %s, is not connected to', async (spelling, host, address) => {
    const { port, sockets } = await bystander()
    for (const scheme of ['http', 'https']) {
      const asked = request(`${scheme}://${spelling}:${port}/`, { dispatcher: agentWith() })
      await expect(asked).rejects.toMatchObject(refused(host, address))
    }
    expect(sockets).toHaveLength(0)
  })

  test.each([
    { name: 'to this machine', addresses: ['127.0.0.1'], address: 'loopback' },
    { name: 'to the metadata of a cloud', addresses: ['169.254.169.254'], address: 'link local' },
    { name: 'to two private addresses', addresses: ['10.0.0.1', 'fd00::1'], address: 'private' },
  ])('row 26: a name that leads $name is not connected to', async ({ addresses, address }) => {
    const { port, sockets } = await bystander()
    const dispatcher = agentWith({ lookup: resolvingTo(...addresses) })
    const asked = request(`http://crm.acme.example:${port}/`, { dispatcher })
    await expect(asked).rejects.toMatchObject(refused('crm.acme.example', address))
    expect(sockets).toHaveLength(0)
  })

  test('row 26: localhost, by the system’s own resolver', async () => {
    const { port, sockets } = await bystander()
    const asked = request(`http://localhost:${port}/`, { dispatcher: agentWith() })
    await expect(asked).rejects.toMatchObject(refused('localhost', 'loopback'))
    expect(sockets).toHaveLength(0)
  })

  test('row 26: a name that is bound anew between two connections', async () => {
    const { port, sockets } = await bystander()
    let looks = 0
    const lookup: LookupFunction = (...given) => resolvingTo(looks++ === 0 ? '::ffff:10.0.0.1' : '127.0.0.1')(...given)
    const dispatcher = agentWith({ lookup })
    const ask = () => request(`http://crm.acme.example:${port}/`, { dispatcher })
    await expect(ask()).rejects.toMatchObject(refused('crm.acme.example', 'private'))
    await expect(ask()).rejects.toMatchObject(refused('crm.acme.example', 'loopback'))
    expect(sockets).toHaveLength(0)
  })

  test('of a name with public and private addresses only the public ones are tried', () => {
    const found: unknown[] = []
    const lookup = guardedLookup(resolvingTo('10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111'))
    lookup('crm.acme.example', { all: true }, (...given) => found.push(given))
    lookup('crm.acme.example', {}, (...given) => found.push(given))
    const both = [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]
    expect(found).toEqual([
      [null, both],
      [null, '8.8.8.8', 4],
    ])
  })

  test.each(['http', 'https'])(
    'row 26: a connection that ends elsewhere than the look-up said hears nothing of us, %s',
    async scheme => {
      const { port, sockets, received } = await bystander()
      const open = buildConnector({ timeout: 1_000 })
      const dispatcher = agentWith({
        tcp: (target, callback) => open({ ...target, hostname: '127.0.0.1', port: String(port) }, callback),
      })
      const asked = request(`${scheme}://crm.acme.example/`, { dispatcher })
      await expect(asked).rejects.toMatchObject(refused('crm.acme.example', 'loopback'))
      expect(sockets).toHaveLength(1)
      if (!sockets[0]!.closed) await once(sockets[0]!, 'close')
      expect(Buffer.concat(received), 'neither a header nor a TLS hello').toHaveLength(0)
    },
  )

  test('a name that does not resolve is no refusal', async () => {
    const lookup: LookupFunction = (_, __, callback) =>
      callback(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), [])
    const asked = request('http://crm.acme.example/', { dispatcher: agentWith({ lookup }) })
    await expect(asked).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('allow_private lifts it, for literals and names', async () => {
    const port = await listening(createHttpServer((_, response) => response.end('ok')))
    const dispatcher = agentWith({ allowPrivate: true, lookup: resolvingTo('127.0.0.1') })
    for (const host of ['127.0.0.1', 'crm.acme.example']) {
      const { body } = await request(`http://${host}:${port}/`, { dispatcher })
      expect(await body.text()).toBe('ok')
    }
  })
})
