import { NAMESPACE } from '../src/base/config/namespaces.ts'
import { firstYear, seededFolder } from './data.ts'
import { explore } from './ground.ts'
import { ask, type Lab, type Target, takeTurns, withBeside } from './lab.ts'
import type { LoadRequest } from './load.ts'
import { startKalends } from './processes.ts'

/** Events that one month of the calendar has at least. */
const EVENTS_OF_MONTH = 1_000

/** A year with so many events that November has 1,000. They are short: three long ones would leave no room for others. */
const BUSY = { events: 13_500, shape: { days: 365, isShort: true } }

/** Measures the page of a month with 1,000 events on a server without caches, requested as browsers do: compressed. */
export async function measureMonth(lab: Lab, now: number): Promise<void> {
  const folder = await seededFolder(BUSY.events, now, BUSY.shape)
  const month = `${firstYear(now)}-11`
  const { origin, pid, stop } = await startKalends(folder, ['--cache-size', '0'])
  try {
    const events = await eventsOf(origin, month)
    if (events < EVENTS_OF_MONTH) throw new Error(`${month} has ${events} events only`)
    const ground = await explore(`${origin}/${NAMESPACE}`, { now })
    const target: Target = { name: 'no-caches', origin, pid, ground }
    const page: LoadRequest = {
      method: 'GET',
      path: `/events/${month}/`,
      acceptEncoding: 'gzip, deflate, br, zstd',
    }
    const answer = await ask(target, page)
    if (answer.status !== 200) throw new Error(`${page.path} answers ${answer.status}`)
    lab.book.add('month-page/no-caches/kilobytes', Buffer.from(answer.body, 'base64').length / 1_000)
    await withBeside('raw', { argv: [], content: JSON.stringify(answer) }, (raw) =>
      takeTurns(lab, { workload: 'month-page', connections: 2 }, [
        { target, requests: [page] },
        { target: { ...target, name: 'raw', origin: raw.origin, pid: raw.pid }, requests: [page] },
      ]),
    )
  } finally {
    await stop()
  }
}

/** Events that start in a month, `2026-11`. */
async function eventsOf(origin: string, month: string): Promise<number> {
  const window = `start_date=${month}-01&end_date=${month}-30%2023:59:59&per_page=1`
  const answer = await fetch(`${origin}/${NAMESPACE}/events?${window}`)
  const { total } = (await answer.json()) as { total: number }
  return total
}
