import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'

/** Reporter of Node's test runner: as its own `spec`, without the counts of this one process at the end. */
// biome-ignore lint/style/noDefaultExport: the test runner asks for the default export
export default async function* report(events) {
  yield* Readable.from(withoutCounts(events)).pipe(new spec())
}

const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

async function* withoutCounts(events) {
  for await (const event of events) {
    if (event.type === 'test:summary') continue
    if (event.type !== 'test:diagnostic' || event.data.nesting > 0 || !COUNT.test(event.data.message)) yield event
  }
}
