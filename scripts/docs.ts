// Writes the pages of docs/reference that are generated from the source; with --check only reports whether they are stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { configReference } from '../src/base/config/reference.ts'
import { errorsReference } from '../src/base/errors.ts'
import { metricsReference } from '../src/ops/metrics/reference.ts'

const PAGES: Readonly<Record<string, () => string>> = {
  'docs/reference/config.md': configReference,
  'docs/reference/errors.md': errorsReference,
  'docs/reference/metrics.md': metricsReference,
}

const stale = Object.entries(PAGES).filter(([path, render]) => read(path) !== render())

if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is stale: run \`node scripts/docs.ts\``)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const [path, render] of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, render())
    console.log(`wrote ${path}`)
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
