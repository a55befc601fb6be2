import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction, Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { addAbortSignal } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { PredioError } from '../schemas/errors.ts'

/**
 * The one door to addresses that partners name (trap S5). Whatever a host name says or will say at the next look-up, a
 * connection is used only when it ends at a global unicast address; nothing of ours is sent before that is known.
 */
export interface EgressOptions {
  /** True lets private, loopback and all other addresses be reached, for local runs. */
  readonly allowPrivate: boolean
  /** For the TCP connection, and again for the TLS handshake. */
  readonly timeoutMs: number
  /** Ends all connections, those that are only being made as well: an agent alone would wait for them. */
  readonly signal?: AbortSignal | undefined
  /** By default the system's. */
  readonly lookup?: LookupFunction | undefined
  /** Opens the TCP connection; by default undici's. */
  readonly tcp?: buildConnector.connector | undefined
}

/**
 * For `new Agent({ connect })`. HTTP/1.1 only. A look-up that names refused addresses alone, an IP literal in any spelling
 * and a connection that ended elsewhere than the look-up said fail the request.
 *
 * @throws (through the request) PARTNER_ADDRESS_REFUSED, which says what the address is and not which
 */
export function guardedConnector(options: EgressOptions): buildConnector.connector {
  const { allowPrivate, timeoutMs: timeout, signal, lookup = systemLookup as LookupFunction } = options
  const refusalOf = allowPrivate ? () => undefined : refusal
  const tcp = options.tcp ?? buildConnector({ timeout, allowH2: false, lookup: guardedLookup(lookup, refusalOf) })
  const tls = buildConnector({ timeout, allowH2: false })
  return (target, callback) => {
    const { protocol, hostname, localAddress = null } = target
    const literal = isIP(hostname) === 0 ? undefined : refusalOf(hostname, hostname)
    if (literal !== undefined) return process.nextTick(callback, literal, null)
    const port = target.port || (protocol === 'https:' ? '443' : '80')
    const secured = (socket: Socket) => tls({ ...target, port, httpSocket: socket }, callback)
    // Plain first, whatever comes after: a TLS handshake would already tell a stranger whom we want to talk to.
    const opening: unknown = tcp(
      { protocol: 'http:', hostname, port, localAddress },
      (...[error, socket]: Connected) => {
        if (!socket) return callback(error as Error, null) // undici leaves it undefined, whatever its types say
        const refused = refusalOf(hostname, socket.remoteAddress ?? '')
        if (refused === undefined) return protocol === 'https:' ? secured(socket) : callback(null, socket)
        socket.destroy()
        return callback(refused, null)
      },
    )
    // Not net's own option: its listener outlives the connection (Node 24.21).
    if (signal !== undefined && opening instanceof Socket) addAbortSignal(signal, opening)
  }
}

type Connected = Parameters<buildConnector.Callback>

type RefusalOf = (host: string, address: string) => PredioError | undefined

function refusal(host: string, address: string): PredioError | undefined {
  const found = refusedClassOf(address, ownAddresses())
  return found === undefined ? undefined : new PredioError('PARTNER_ADDRESS_REFUSED', { host, address: found })
}

/** Leaves out what is refused, so that not even a connection is tried there. */
export function guardedLookup(lookup: LookupFunction, refusalOf: RefusalOf = refusal): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, '', 0)
      const addresses = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }]
      const usable = addresses.filter(({ address }) => refusalOf(host, address) === undefined)
      const [first] = usable
      if (first === undefined) return callback(refusalOf(host, addresses[0]?.address ?? '') ?? null, '', 0)
      return options.all ? callback(null, usable) : callback(null, first.address, first.family)
    })
  }
}

/** Only this block of IPv6 is given out for global unicast; ipaddr.js knows the exceptions inside it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Out of use since 2006; ipaddr.js takes it for an IPv4-mapped one, and the system writes it so. */
const IPV4_COMPATIBLE = /^::\d+\./

/** Where the word of ipaddr.js is a number of an RFC. */
const CLASS_NAMES: Readonly<Record<string, string>> = { rfc6052: 'NAT64', rfc6145: 'IPv4-translated' }

/**
 * @param address as the system writes it; an IPv4-mapped one counts as the IPv4 address in it
 * @param own     this machine's own addresses: what listens there may trust whoever can reach it
 * @returns       undefined for a global unicast address; else what it is: `loopback`, `private`, `link local`, ...
 */
export function refusedClassOf(address: string, own: ReadonlySet<string> = new Set()): string | undefined {
  const parsed = parsedOf(address)
  if (parsed === undefined) return 'unreadable'
  if (IPV4_COMPATIBLE.test(address)) return 'reserved'
  const range: string = parsed.range()
  if (range !== 'unicast') return CLASS_NAMES[range] ?? range.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  if (parsed.kind() === 'ipv6' && !parsed.match(GLOBAL_IPV6)) return 'reserved'
  return own.has(parsed.toString()) ? 'this machine' : undefined
}

/** Asked anew for each connection: addresses come and go with interfaces. */
export function ownAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return new Set(all.map(({ address }) => parsedOf(address)?.toString() ?? address))
}

function parsedOf(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  try {
    return ipaddr.process(address)
  } catch {
    return undefined
  }
}
