import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommands } from './support/commands.ts'

for (const name of ['getting-started', 'filters', 'writing-events', 'subscribing', 'changes', 'moving']) {
  test(`every command of docs/${name}.md prints what the guide shows`, { timeout: 120_000 }, async (t) => {
    await runCommands(t, readFileSync(join(import.meta.dirname, `../docs/${name}.md`), 'utf8'))
  })
}
