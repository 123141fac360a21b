import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { fail } from '../../base/errors.ts'

/** Addresses and networks, for questions about one address. */
export interface Networks {
  /** False for a value that is not an address. */
  has(address: string | undefined): boolean
}

/** The networks of a list such as `10.0.0.0/8` and `::1`; anything else in it is ignored. */
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

/** Who sent a request, by its address. */
export interface Client {
  /** See `clientKey`. */
  readonly key: string
  /** For people; `unknown` if there is none. */
  readonly address: string
  /** Whether the address is that of a trusted proxy that names no client. */
  readonly isProxy: boolean
}

/** The client that sent a request. */
export function clientOf(request: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: Networks): Client {
  const address = addressOf(request, proxies)
  const key = clientKey(address)
  // A key of IPv6 is a whole network.
  return { key, address: key.endsWith('/64') ? (address ?? '') : key, isProxy: proxies.has(address) }
}

/**
 * The address of the client: that of the connection, or the last one in X-Forwarded-For that is not one of our proxies;
 * that of the proxy if it names no other.
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

/**
 * Names the client behind an address, for limits and fair shares: an IPv4 address is its own key (`192.0.2.7`, also when
 * it is written as IPv6, `::ffff:192.0.2.7`), IPv6 addresses share one for each /64 (`2001:db8:0:1::/64`), because one
 * client has that many. A port, brackets and a zone (`%eth0`) are dropped. Everything that is no address, such as the
 * `undefined` of a Unix socket or a forged header, shares the key `unknown`.
 */
export function clientKey(address: string | undefined): string {
  if (address === undefined) return UNKNOWN
  if (isIPv4(address)) return address
  const bare = PORT_OF_IPV4.exec(address)?.[1] ?? BRACKETS.exec(address)?.[1] ?? address
  if (isIPv4(bare)) return bare
  return isIPv6(bare) ? keyOfIPv6(bare) : UNKNOWN
}

/** The network of a client, for people who ask where somebody is: /24 of IPv4, /48 of IPv6; `unknown` if there is none. */
export function networkOf({ key }: Pick<Client, 'key'>): string {
  if (key.endsWith('::/64')) return `${key.split(':').slice(0, 3).join(':')}::/48`
  return isIPv4(key) ? key.replace(/\d+$/, '0/24') : key
}

const UNKNOWN = 'unknown'
const PORT_OF_IPV4 = /^([\d.]{7,15}):\d{1,5}$/
const BRACKETS = /^\[([^\]]{2,80})\](?::\d{1,5})?$/

function keyOfIPv6(address: string): string {
  const groups = groupsOf(address.split('%', 1)[0] ?? '')
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [groups[6], groups[7]].flatMap((group = 0) => [group >> 8, group & 0xff]).join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of 16 bits of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split('::').map(groupsIn)
  if (tail === undefined) return head
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function groupsIn(text: string): number[] {
  return text.split(':').flatMap((group) => {
    if (group === '') return []
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}

/** How many things there are at a time, in all and of each client. */
export class ClientCounts {
  readonly #counts = new Map<string, number>()
  #total = 0

  /** Of all clients. */
  get total(): number {
    return this.#total
  }

  /** Of one client; 0 when it has none. */
  of(client: string): number {
    return this.#counts.get(client) ?? 0
  }

  /** Counts `amount` more of a client, or fewer when it is negative. */
  add(client: string, amount: number): void {
    const count = this.of(client) + amount
    this.#total += amount
    if (count > 0) this.#counts.set(client, count)
    else this.#counts.delete(client)
  }
}

/**
 * Bytes of responses that a client may leave unread before its next request is refused, and bytes of all clients, beyond
 * which nobody may leave any.
 */
const MOST = { client: 32 * 1024 ** 2, all: 256 * 1024 ** 2 } as const

/** Smaller bodies are not counted: the system takes them, and requests in progress are bounded in number. */
const LEAST = 64 * 1024

/** What a body that is produced while it is sent counts as. */
const PART = 1024 ** 2

/** A response to a client. */
interface Sent {
  readonly client: Client
  readonly response: ServerResponse
}

/** Counts what waits in memory for clients that do not read, so that no further response is built for them. */
export class UnreadBytes {
  readonly #counts = new ClientCounts()

  /** @throws rest_too_busy for a client that has left too much unread */
  requireRoom({ client: { key, isProxy } }: Pick<Sent, 'client'>): void {
    const own = this.#counts.of(key)
    if (own === 0 || isProxy) return
    if (own > MOST.client || this.#counts.total > MOST.all) throw fail('rest_too_busy')
  }

  /** Counts a response of so many bytes, as far as the system has not taken them when it was written in this turn. */
  count(sent: Sent, length: number): void {
    if (length >= LEAST) process.nextTick(() => this.#add(sent, sent.response.writableLength))
  }

  /** Counts a response that is produced while it is sent. */
  countPart(sent: Sent): void {
    this.#add(sent, PART)
  }

  #add({ response, client: { key } }: Sent, bytes: number): void {
    if (bytes === 0 || response.closed) return
    this.#counts.add(key, bytes)
    response.once('close', () => this.#counts.add(key, -bytes))
  }
}
