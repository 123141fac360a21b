import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { CATALOGUES } from '../src/base/i18n/translate.ts'
import { blocksOf, COVERED, runCommands } from './support/commands.ts'

const ROOT = join(import.meta.dirname, '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

const BLOCKS = blocksOf(README)

test('every command of the README prints what the README shows', async (t) => {
  const origin = await runCommands(t, README)
  const [feed = ''] = /http:\/\/\S+events\.ics/.exec(README) ?? []
  const file = await (await fetch(feed.replace('http://127.0.0.1:3000', origin))).text()
  assert.match(file, /^SUMMARY:Night of the museums\r$/m, 'the event of the README is in its feed')
})

test('the README shows a request for every collection, and the two commands that everything begins with', () => {
  const commands = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text)
  for (const collection of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    assert.ok(
      commands.some((text) => text.includes(`/cal/events/v1/${collection}?`)),
      collection,
    )
  }
  for (const command of COVERED) assert.ok(commands.includes(command), command)
  assert.ok(README.split('\n').length <= 101, 'the README has at most 100 lines')
})

/** The most words of pages that are read as a whole. */
const WORDS = { 'docs/limits.md': 900, 'docs/performance.md': 1000 }

for (const [page, most] of Object.entries(WORDS)) {
  test(`${page} has at most ${most} words`, () => {
    const words = readFileSync(join(ROOT, page), 'utf8')
      .split(/\s+/)
      .filter((word) => word !== '')
    assert.ok(words.length <= most, String(words.length))
  })
}

for (const page of [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs/accounts.md',
  'docs/api.md',
  'docs/concurrency.md',
  'docs/editors.md',
  'docs/filters.md',
  'docs/getting-started.md',
  'docs/install.md',
  'docs/limits.md',
  'docs/moving.md',
  'docs/notes/inside.md',
  'docs/notes/speed.md',
  'docs/operate.md',
  'docs/performance.md',
  'docs/scale.md',
  'docs/security.md',
  'docs/servers.md',
  'docs/subscribing.md',
  'docs/writing-events.md',
]) {
  test(`every link of ${page} leads to a file or to another site`, () => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https:\/\//.test(target)) continue
      const [path = '', heading] = target.split('#', 2)
      const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path)
      assert.ok(existsSync(file), target)
      if (heading !== undefined) assert.ok(headings(readFileSync(file, 'utf8')).includes(heading), target)
    }
  })
}

test('what docs/editors.md prints in bold is on the pages of the administration', () => {
  const said = new Set(Object.values(CATALOGUES['en'] ?? {}))
  const names = [...readFileSync(join(ROOT, 'docs/editors.md'), 'utf8').matchAll(/\*\*([^*]+)\*\*/g)]
  assert.ok(names.length > 20)
  for (const [, name = ''] of names) assert.ok(said.has(name), name)
})

/** The names under which the headings of a page can be linked. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
