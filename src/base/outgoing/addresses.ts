import { BlockList, isIP } from 'node:net'

/**
 * Networks that nothing is sent to or fetched from: this machine, its own network and what is no single public address, so that
 * nobody reaches with an address what only the server can reach (RFC 6890, RFC 4291; wire: events S9).
 */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The metadata address of a large host, which lies among the public ones.
  '168.63.129.16/32',
]

/** Of IPv6 only global unicast is open, and of that not what leads to IPv4 again or is for documents. */
const OPEN_V6 = '2000::/3'
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Says whether the server may connect to an IP address. */
export type AddressGate = (address: string) => boolean

/** The gate for requests to other servers; `allowed` are addresses and networks that are open although they are not public. */
export function addressGate(allowed: readonly string[]): AddressGate {
  const exceptions = listOf(allowed)
  const closedV4 = listOf(CLOSED_V4)
  const openV6 = listOf([OPEN_V6])
  const closedV6 = listOf(CLOSED_V6)
  return (address) => {
    const plain = unmapped(address)
    const version = isIP(plain)
    if (version === 0) return false
    if (version === 4) return exceptions.check(plain, 'ipv4') || !closedV4.check(plain, 'ipv4')
    return exceptions.check(plain, 'ipv6') || (openV6.check(plain, 'ipv6') && !closedV6.check(plain, 'ipv6'))
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** An IPv4 address in the clothes of IPv6 is what it maps to; a zone names an interface of this machine. */
function unmapped(address: string): string {
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address)
  if (hex === null) return address.replace(/^::ffff:(?=\d+\.)/i, '')
  const [high, low] = [Number.parseInt(hex[1] ?? '', 16), Number.parseInt(hex[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
