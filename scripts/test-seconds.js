// Loaded before test files that share a process: measures how much processor time each of them takes.
import { relative } from 'node:path'
import { afterEach, beforeEach } from 'node:test'

/** Seconds of processor time by the path of the file, without what loading it takes. */
export const seconds = {}

/** When the test before this one had ended, or all files had been loaded. */
let before

beforeEach(() => {
  before ??= processorSeconds()
})

afterEach(({ filePath = '' }) => {
  const path = relative('', filePath)
  const now = processorSeconds()
  seconds[path] = (seconds[path] ?? 0) + now - before
  before = now
})

/** Processor time of this process so far, in seconds. */
export function processorSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
