import { relative } from 'node:path'

/**
 * Reporter of Node's test runner that writes nothing but {passed, failed, failures, skipped}, name and cause of those that
 * failed and name and reason of those skipped: a line after each test, so that a run that is broken off has counted, and
 * one when all have ended. The last line counts.
 */
// biome-ignore lint/style/noDefaultExport: the test runner asks for the default export
export default async function* count(events) {
  let passed = 0
  let failed = 0
  const failures = []
  const skipped = []
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file === undefined) {
      passed = data.counts.passed
      failed = data.counts.failed + data.counts.cancelled
    } else if (data?.skip !== undefined) {
      if (type === 'test:pass') skipped.push({ name: data.name, reason: data.skip === true ? '' : data.skip })
    } else if (type === 'test:pass' && !isLeftOut(data)) passed += 1
    else if (type === 'test:fail' && !isLeftOut(data)) {
      failed += 1
      failures.push({ name: `${relative('', data.file ?? '')}: ${data.name}`, why: whyOf(data.details.error) })
    } else continue
    yield `${JSON.stringify({ passed, failed, failures, skipped })}\n`
  }
}

/** What Node's own counts leave out, too. */
function isLeftOut({ details, todo }) {
  return details.type === 'suite' || todo !== undefined
}

/** Most characters of the cause of a failure that are told once more at the end. */
const MOST_OF_A_CAUSE = 4000

function whyOf(error) {
  return String(error?.cause?.stack ?? error?.cause ?? error ?? '').slice(0, MOST_OF_A_CAUSE)
}
