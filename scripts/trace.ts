// npm run trace: what one request goes through. Each of scripts/tracing/journeys.ts is sent once to a server in this
// process, and every function of src/ that it enters is recorded until its response has arrived:
//   npm run trace                    the number of functions and files, and how often the next function lies in another file
//   npm run trace -- cold-search     that request, with the files in order
//   npm run trace -- PATCH --all     that request, with every function
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Entry, entriesOf, instrument, quiet } from './tracing/instrument.ts'
import { JOURNEYS, type Journey, prepare } from './tracing/journeys.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } })
const chosen: readonly Journey[] = JOURNEYS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
if (chosen.length === 0) throw new Error(`there are ${JOURNEYS.map(({ name }) => name).join(', ')}`)
instrument(root, join(root, 'src'))

console.log('request                     functions  files  changes of file')
for (const journey of chosen) show(journey.name, await trace(journey))

async function trace(journey: Journey): Promise<readonly Entry[]> {
  const steps: (() => Promise<void>)[] = []
  // Only now, because only what is loaded after the preparation reports.
  const { openTestApp } = await import('../test/support/app.ts')
  const scope = { after: (step: () => Promise<void>) => steps.push(step) }
  const app = await openTestApp(scope, journey.hasNoCache === true ? { cacheSize: '0' } : {})
  try {
    const send = await prepare(app, journey)
    // Nor is what continues in the background after a write.
    await quiet()
    return await entriesOf(send)
  } finally {
    for (const step of steps) await step()
  }
}

function show(name: string, entries: readonly Entry[]): void {
  const inAnother = entries.filter(({ file }, index) => file !== entries[index - 1]?.file)
  const files = new Set(entries.map(({ file }) => file))
  const numbers = [entries.length, files.size, inAnother.length]
  console.log(
    `${name.padEnd(28)}${numbers.map((number, index) => String(number).padStart([9, 7, 17][index] ?? 0)).join('')}`,
  )
  if (positionals.length === 0) return
  const shown = values.all === true ? entries : inAnother
  for (const { file, line, name: of } of shown) console.log(`  ${file}:${line} ${of}`)
}
