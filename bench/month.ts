import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { NAMESPACE } from '../src/base/config/namespaces.ts'
import { firstYear, seededFolder } from './data.ts'
import type { Lab } from './lab.ts'
import { cpuSeconds, startKalends } from './processes.ts'

/** Events that one month of the calendar has at least. */
const EVENTS_OF_MONTH = 1_000

/** A year with so many events that November has 1,000. They are short: three long ones would leave no room for others. */
const BUSY = { events: 13_500, shape: { days: 365, isShort: true } }

/** Requests of a round, one after the other, and those before the first round. */
const REQUESTS = { round: 60, warmUp: 120 }

/** Measures the page of a month with 1,000 events on a server that keeps nothing, asked as browsers ask: compressed. */
export async function measureMonth({ book, pace, say }: Lab, now: number): Promise<void> {
  const folder = await seededFolder(BUSY.events, now, BUSY.shape)
  const month = `${firstYear(now)}-11`
  const server = await startKalends(folder, ['--cache-size', '0'])
  try {
    const events = await eventsOf(server.origin, month)
    if (events < EVENTS_OF_MONTH) throw new Error(`${month} has ${events} events only`)
    const page = `${server.origin}/events/${month}/`
    let bytes = 0
    const round = async (requests: number): Promise<number> => {
      const before = (await cpuSeconds(server.pid)) ?? Number.NaN
      for (let number = 0; number < requests; number += 1) bytes = await transferred(page)
      return ((((await cpuSeconds(server.pid)) ?? Number.NaN) - before) / requests) * 1_000
    }
    await round(REQUESTS.warmUp)
    const times: number[] = []
    for (let number = 0; number < pace.rounds; number += 1) times.push(await round(REQUESTS.round))
    for (const time of times) if (!Number.isNaN(time)) book.add('month-page/no-caches/cpu-ms', time)
    book.add('month-page/no-caches/kilobytes', bytes / 1_000)
    const shown = times.map((time) => time.toFixed(1)).join(' ')
    say(`month-page: ${events} events, ${shown} ms of processor time, ${(bytes / 1_000).toFixed(1)} KB transferred`)
  } finally {
    await server.stop()
  }
}

/** Events that begin in a month, `2026-11`. */
async function eventsOf(origin: string, month: string): Promise<number> {
  const window = `start_date=${month}-01&end_date=${month}-30%2023:59:59&per_page=1`
  const answer = await fetch(`${origin}/${NAMESPACE}/events?${window}`)
  const { total } = (await answer.json()) as { total: number }
  return total
}

/** Bytes of a body as they are sent to a browser. @throws Error on any other answer than 200 */
async function transferred(address: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  get(address, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } }, (response) => {
    if (response.statusCode === 200) buffer(response).then(resolve, reject)
    else reject(new Error(`${address} answers ${response.statusCode}`))
  }).on('error', reject)
  return (await promise).length
}
