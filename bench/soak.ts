import type { Lab, Target } from './lab.ts'
import { sendLoad } from './load.ts'
import { residentMegabytes } from './processes.ts'
import { mixed, requestsOf } from './workloads.ts'

/** Seconds between two looks at the memory. */
const STEP = 5

/** Loads a calendar for minutes with reads of all kinds, so that it can be used again, and watches the server's memory. */
export async function soak(lab: Lab, target: Target, minutes: number): Promise<void> {
  const { pid } = target
  const reads = mixed(target.ground).filter((one) => one.method === 'GET')
  const requests = [...reads, ...requestsOf('search-rare', target).slice(0, 1_000)]
  const memory: number[] = []
  const steps = Math.ceil((minutes * 60) / STEP)
  for (let step = 0; step < steps; step += 1) {
    const shifted = [...requests.slice((step * 997) % requests.length), ...requests]
    const { rate, errors } = await sendLoad(target.origin, { requests: shifted, connections: 16, seconds: STEP })
    memory.push((await residentMegabytes(pid)) ?? Number.NaN)
    if (step % 12 === 0)
      lab.say(
        `soak: ${Math.round(rate)}/s, ${errors} errors, ${memory.at(-1)?.toFixed(0)} MB after ${(step + 1) * STEP} s`,
      )
  }
  const third = memory[Math.floor(steps * 0.3)]
  const end = memory.at(-1)
  for (const megabytes of memory) lab.book.add('soak/big/memory', megabytes)
  lab.book.add('soak/big/most-memory', Math.max(...memory))
  if (third !== undefined && end !== undefined) lab.book.add('soak/big/memory-growth', end / third)
}
