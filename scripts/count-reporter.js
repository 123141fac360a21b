import { relative } from 'node:path'

/** Whether several files share this process, which was started with the module that measures them. */
const isShared = process.execArgv.includes('--test-isolation=none')

/**
 * Reporter of Node's test runner that writes nothing but {passed, failed, failures, skipped, seconds, slowness}: name and
 * cause of those that failed, name and reason of those skipped, the seconds of processor time of each file, and how many
 * times slower the machine is than usual. A line after each test, so that a run that is broken off has counted, and one when
 * all have ended. The last line counts.
 */
// biome-ignore lint/style/noDefaultExport: the test runner asks for the default export
export default async function* count(events) {
  let passed = 0
  let failed = 0
  const failures = []
  const skipped = []
  let slowness = 1
  let measured
  for await (const { type, data } of events) {
    if (measured === undefined) {
      // Not before: hooks of tests exist only once the runner does.
      measured = isShared ? await import('./test-seconds.js') : { seconds: {} }
      slowness = slownessNow(measured)
    }
    if (type === 'test:summary' && data.file === undefined) {
      passed = data.counts.passed
      failed = data.counts.failed + data.counts.cancelled
      slowness = Math.max(slowness, slownessNow(measured))
    } else if (data?.skip !== undefined) {
      if (type === 'test:pass') skipped.push({ name: data.name, reason: data.skip === true ? '' : data.skip })
    } else if (type === 'test:pass' && !isLeftOut(data)) passed += 1
    else if (type === 'test:fail' && !isLeftOut(data)) {
      failed += 1
      failures.push({ name: `${relative('', data.file ?? '')}: ${data.name}`, why: whyOf(data.details.error) })
    } else continue
    yield `${JSON.stringify({ passed, failed, failures, skipped, seconds: measured.seconds, slowness })}\n`
  }
}

/** Seconds of processor time that the work below takes on the machine by which budgets were set, while it is not busy. */
const USUAL = 0.008
const TEXT = JSON.stringify(
  Array.from({ length: 5000 }, (_none, id) => ({ id, title: `Event ${id}`, tags: ['a', 'b'] })),
)

/** How many times slower than usual the machine is at this moment, by the best of a few attempts; at least 1. */
function slownessNow({ processorSeconds }) {
  if (processorSeconds === undefined) return 1
  const attempts = Array.from({ length: 5 }, () => {
    const started = processorSeconds()
    JSON.parse(TEXT).sort((one, other) => other.id - one.id)
    JSON.parse(TEXT)
    return processorSeconds() - started
  })
  return Math.max(1, Math.min(...attempts) / USUAL)
}

/** What Node's own counts leave out, too. */
function isLeftOut({ details, todo }) {
  return details.type === 'suite' || todo !== undefined
}

/** Most characters of the cause of a failure that are reported once more at the end. */
const MOST_OF_A_CAUSE = 4000

function whyOf(error) {
  return String(error?.cause?.stack ?? error?.cause ?? error ?? '').slice(0, MOST_OF_A_CAUSE)
}
