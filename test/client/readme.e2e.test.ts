import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'
import { openTestApp } from '../support/app.ts'
import { sampleImage } from '../support/sample-image.ts'

const PACKAGE = join(import.meta.dirname, '../../clients/typescript')
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8')

/** Programs of the page in order; those that print something are followed by it. */
const EXAMPLES = [...README.matchAll(/```js\n(.*?)```\n(?:\n```text\n(.*?)```)?/gs)].map(([, code = '', output]) => ({
  code,
  output,
}))

test('the examples of the client print what its page says', async (t) => {
  assert.equal(EXAMPLES.filter(({ output }) => output !== undefined).length, 10)
  const { origin, authorization } = await openTestApp(t)
  const login = atob(authorization('administrator').slice('Basic '.length)).split(/:(.*)/)
  const program = EXAMPLES.map(({ code }, index) => `${code}\nexample(${index})\n`)
    .join('')
    .replace("'@kalends/client'", JSON.stringify(pathToFileURL(join(PACKAGE, 'src/index.ts')).href))
    .replace("'https://calendar.example'", JSON.stringify(origin))
    .replace("token: 'kal_...'", `login: ${JSON.stringify(login.slice(0, 2))}`)
  const folder = await mkdtemp(join(tmpdir(), 'kalends-client-readme-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'examples.mjs'), program)

  const printed: string[] = []
  let current = ''
  t.mock.method(console, 'log', (...values: unknown[]) => {
    current += `${format(...values)}\n`
  })
  const example = (): void => {
    printed.push(current)
    current = ''
  }
  Object.assign(globalThis, { example, file: new Blob([new Uint8Array(await sampleImage(1))]) })
  await import(pathToFileURL(join(folder, 'examples.mjs')).href)
  assert.deepEqual(
    printed,
    EXAMPLES.map(({ output = '' }) => output),
  )
})
