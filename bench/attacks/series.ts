import { ask } from '../lab.ts'
import { seriesCreates } from '../workloads.ts'
import type { Attack } from './attack.ts'

/** More series than are created meanwhile. */
const MOST = 500

/** A writer who creates one series of 1,000 dates after the other. */
export const SERIES_ATTACK: Attack = {
  name: 'attack-series',
  run: async (target, { signal, begun }) => {
    const requests = seriesCreates(target.ground, { count: MOST, dates: 1_000 })
    let sent = 0
    for (const request of requests) {
      if (signal.aborted) break
      begun()
      const { status } = await ask(target, request)
      if (status !== 201) throw new Error(`a series was answered with ${status}`)
      sent += 1
    }
    return sent
  },
}
