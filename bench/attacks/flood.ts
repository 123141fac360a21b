// Sends searches that cost as much as possible and that nobody waits for: addresses of 10 KB with 128 words of one letter,
// of two, of three, and common words, each another one so that none is remembered. Goes on until it is killed.
//   node bench/attacks/flood.ts ORIGIN BASE
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SOUGHT } from '../vocabulary.ts'
import { ATTACKER } from './attack.ts'

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

/** Requests of a wave, in turn; milliseconds after which all its connections are closed, and until the next one. */
const WAVES = [30, 200, 60] as const
const TIMES = { held: 150, pause: 850 } as const

/** Length of an address, in characters. */
const LONG = 10_000

const [origin = '', base = ''] = process.argv.slice(2)
for (let wave = 0, sent = 0; ; wave += 1) {
  const count = WAVES[wave % WAVES.length] ?? 0
  const first = sent
  const sockets = Array.from({ length: count }, (_none, index) => hold(first + index))
  sent += count
  process.stdout.write('.'.repeat(count))
  await sleep(TIMES.held)
  for (const socket of sockets) socket.destroy()
  await sleep(TIMES.pause)
}

function hold(number: number): Socket {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER })
  // A server may refuse or close whatever it does not want.
  socket.on('error', () => undefined).resume()
  const search = encodeURIComponent(wordsOf(number).join(' '))
  const path = `${base}/events?search=${search}&n=${number}&x=`
  socket.write(`GET ${path.padEnd(LONG, 'x')} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  return socket
}

/** The words of an attack by its number: of 128 letters, or of the most that one search may have. */
function wordsOf(number: number): readonly string[] {
  const letter = (offset: number): string => LETTERS[(number * 7 + offset * 5) % LETTERS.length] ?? 'e'
  const length = number % 4
  if (length === 3)
    return Array.from({ length: 4 }, (_none, index) => SOUGHT.common[(number + index) % SOUGHT.common.length] ?? '')
  const words = Array.from({ length: 128 }, (_none, index) =>
    [0, 1, 2]
      .map((place) => letter(index + place * number))
      .slice(0, length + 1)
      .join(''),
  )
  return number % 8 < 4 ? words : words.slice(0, 8)
}
