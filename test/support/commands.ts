import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from './at-end.ts'
import { databaseOf, startServer } from './server.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A fenced block of a document: the language behind its fence, and its lines. */
interface Block {
  readonly language: string
  readonly text: string
}

/** The fenced blocks of a document, in their order. */
export function blocksOf(document: string): Block[] {
  return [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }))
}

/** `test/fresh-clone.nightly.test.ts` runs these two on a copy of the project that has no packages yet. */
export const COVERED: readonly string[] = ['npm start\n', 'npm test\n']

/** Port and password are another time's; everything else that is printed has to be as it is shown. */
function asShown(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    .replaceAll(/(?<=token=)[\w-]{43}/g, 'its token')
    .replaceAll(/(?<=Password {2}|admin:)(\w{4} ){5}\w{4}/g, 'its password')
}

/**
 * Executes every `sh` block of a document on a new calendar; the block behind it, when it is not one, is what it prints.
 * Returns the origin of the server, which runs until the end of the test.
 */
export async function runCommands(t: TestContext, document: string): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'kalends-commands-'))
  atEnd(t, () => rm(data, { recursive: true, force: true }))
  const server = await startServer(data)
  atEnd(t, () => server.stop('SIGKILL'))
  const password = /Password {2}(.*)/.exec(server.output())?.[1] ?? ''
  const env = environment({ KALENDS_DATA: data, DATABASE_URL: await databaseOf(data) })
  const blocks = blocksOf(document)
  const passed: string[] = []
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue
    const commands = text.replaceAll('http://127.0.0.1:3000', server.origin).replaceAll(/(?<=admin:)[\w ]+/g, password)
    // What one block exports the later ones know, as in the shell of a reader.
    if (text.startsWith('export ')) passed.push(commands)
    const output = COVERED.includes(text) ? server.output() : await run([...passed, commands, ''].join('\n'), env)
    const shown = blocks[index + 1]
    const isShown = shown !== undefined && shown.language !== 'sh'
    if (isShown) assert.equal(lines(asShown(output)), lines(asShown(shown.text)), text)
  }
  return server.origin
}

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
