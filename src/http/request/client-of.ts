import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { clientKey } from './client-key.ts'

/** Addresses and networks, for questions about one address. */
export interface Networks {
  /** False for what is no address. */
  has(address: string | undefined): boolean
}

/** The networks of a list such as `10.0.0.0/8` and `::1`; what is neither address nor network is passed over. */
export function networksOf(listed: readonly string[]): Networks {
  const networks = new BlockList()
  for (const one of listed) {
    const [address = '', bits] = one.split('/')
    const family = familyOf(address)
    if (family === undefined) continue
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return {
    has: (address) => {
      const family = address === undefined || listed.length === 0 ? undefined : familyOf(address)
      return family !== undefined && networks.check(address ?? '', family)
    },
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

/** Who sent a request, by the address that it came from. */
export interface Client {
  /** See `clientKey`. */
  readonly key: string
  /** For people; `unknown` where there is none. */
  readonly address: string
  /** Whether the address is that of a believed proxy which names nobody else: it says nothing of the client. */
  readonly isProxy: boolean
}

/** The client that a request comes from. */
export function clientOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: Networks): Client {
  const address = addressOf(request, proxies)
  const key = clientKey(address)
  // A key of IPv6 is a whole network.
  return { key, address: key.endsWith('/64') ? (address ?? '') : key, isProxy: proxies.has(address) }
}

/**
 * The address that a request comes from: that of its connection, or the last one of X-Forwarded-For that is no proxy of
 * ours; that of a proxy where it names nobody else.
 */
function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: Networks): string | undefined {
  let address = request.socket.remoteAddress
  if (!proxies.has(address)) return address
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  for (let hop = forwarded.pop()?.trim(); hop !== undefined && hop !== ''; hop = forwarded.pop()?.trim()) {
    address = hop
    if (!proxies.has(hop)) break
  }
  return address
}
