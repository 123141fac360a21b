import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { databaseOf, startServer } from './support/server.ts'

const ROOT = join(import.meta.dirname, '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/** A fenced block: the language behind its fence, and its lines. */
interface Block {
  readonly language: string
  readonly text: string
}

const BLOCKS = [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']): Block => ({ language, text }),
)

/** `test/fresh-clone.test.ts` runs these two on a copy of the project that has no packages yet. */
const COVERED = ['npm start\n', 'npm test\n']

/** Port and password are another time's; everything else that is printed has to be as it is shown. */
function asShown(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    .replaceAll(/(?<=Password {2}|admin:)(\w{4} ){5}\w{4}/g, 'its password')
}

test('every command of the README prints what the README shows', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'kalends-readme-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const server = await startServer(data)
  t.after(() => server.stop('SIGKILL'))
  const password = /Password {2}(.*)/.exec(server.output())?.[1] ?? ''
  const env = environment({ KALENDS_DATA: data, DATABASE_URL: await databaseOf(data) })
  const passed: string[] = []
  for (const [index, { language, text }] of BLOCKS.entries()) {
    if (language !== 'sh') continue
    const commands = text.replaceAll('http://127.0.0.1:3000', server.origin).replaceAll(/(?<=admin:)[\w ]+/g, password)
    const isCovered = COVERED.includes(text)
    // What one block exports the later ones know, as in the shell of a reader.
    if (text.startsWith('export ')) passed.push(commands)
    const output = isCovered ? server.output() : await run([...passed, commands, ''].join('\n'), env)
    const shown = BLOCKS[index + 1]
    const isShown = shown !== undefined && shown.language !== 'sh'
    if (isShown) assert.equal(lines(asShown(output)), lines(asShown(shown.text)), text)
  }
  const [feed = ''] = /http:\/\/\S+events\.ics/.exec(README) ?? []
  const file = await (await fetch(feed.replace('http://127.0.0.1:3000', server.origin))).text()
  assert.match(file, /^SUMMARY:Night of the museums\r$/m, 'the event of the README is in its feed')
})

/** Output of a script; every command of it has to succeed. */
async function run(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  // `curl` ends its answers without a newline: each command gets a line of its own.
  const separated = script.replaceAll(/^curl /gm, 'echo; curl ')
  const { stdout } = await promisify(execFile)('sh', ['-euc', separated], { cwd: ROOT, env })
  return stdout
}

function lines(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .join('\n')
}

function environment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(KALENDS_|DATABASE_URL$)/.test(name))
  return { ...Object.fromEntries(inherited), no_proxy: '127.0.0.1', ...own }
}

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
const WORDS = { 'docs/limits.md': 900, 'docs/performance.md': 1200 }

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
  'docs/api.md',
  'docs/concurrency.md',
  'docs/install.md',
  'docs/limits.md',
  'docs/notes/speed.md',
  'docs/operate.md',
  'docs/performance.md',
  'docs/scale.md',
  'docs/security.md',
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

/** The names under which the headings of a page can be linked. */
function headings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}
