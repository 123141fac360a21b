import { rm } from 'node:fs/promises'
import { copyOf, type DataFolder } from './data.ts'
import { cpuOfEach, type Lab, type Target } from './lab.ts'
import { startKalends } from './processes.ts'
import { creates, seriesCreates } from './workloads.ts'

/** Dates of each series. */
const DATES = 1_000

/** Requests of a round whose processor time is taken together, and those before the first round. */
const COUNTS = { series: 3, seriesBefore: 4, creates: 200, createsBefore: 400 }

/** Measures the processor time of creating a series of 1,000 dates beside that of creating single events. */
export async function measureSeries(lab: Lab, folder: DataFolder, ground: Target['ground']): Promise<void> {
  const copy = await copyOf(folder)
  const server = await startKalends(copy, [])
  const target = { name: 'kalends', origin: server.origin, pid: server.pid, ground }
  const { rounds } = lab.pace
  const singles = creates(ground, COUNTS.createsBefore + rounds * COUNTS.creates)
  const series = seriesCreates(ground, { count: COUNTS.seriesBefore + rounds * COUNTS.series, dates: DATES })
  try {
    await cpuOfEach(target, singles.splice(0, COUNTS.createsBefore))
    await cpuOfEach(target, series.splice(0, COUNTS.seriesBefore))
    for (let round = 0; round < rounds; round += 1) {
      lab.book.add('series/create/cpu', await cpuOfEach(target, singles.splice(0, COUNTS.creates)))
      lab.book.add('series/kalends/cpu', await cpuOfEach(target, series.splice(0, COUNTS.series)))
    }
  } finally {
    await server.stop()
    await rm(copy.path, { recursive: true, force: true })
  }
  const times = (name: string): string =>
    (lab.book.figures.get(`series/${name}/cpu`) ?? []).map((time) => (time / 1_000).toFixed(1)).join(' ')
  lab.say(`series of ${DATES} dates: ${times('kalends')} ms; a create: ${times('create')} ms of processor time`)
}
