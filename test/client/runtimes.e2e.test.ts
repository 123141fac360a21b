import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { openTestApp } from '../support/app.ts'
import { closeBrowser, NO_BROWSER, visit } from '../support/browser.ts'
import { hostNode } from '../support/host-node.ts'
import { openTecSite } from '../support/tec-site.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

after(closeBrowser)

// The package as it is published, and what has to work with it.
const files = await mkdtemp(join(tmpdir(), 'kalends-client-'))
after(() => rm(files, { recursive: true, force: true }))
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
await run(process.execPath, [tsc, '-p', join(ROOT, 'clients/typescript'), '--outDir', join(files, 'client')])
await writeFile(join(files, 'package.json'), '{"type": "module"}')
await copyFile(join(import.meta.dirname, 'anywhere.mjs'), join(files, 'anywhere.mjs'))
await writeFile(join(files, 'index.html'), '<!doctype html><title>Client</title>')

const tec = await openTecSite({ after }, files)
const app = await openTestApp({ after }, { corsOrigins: tec.origin })
const login = atob(app.authorization('administrator').slice('Basic '.length)).split(/:(.*)/).slice(0, 2)

/** Runtimes with the arguments before a program, and the version that they have to have. */
const RUNTIMES = [
  { name: 'Node 26', program: process.execPath, flags: [], version: /^v26/ },
  { name: 'Node 20', program: hostNode(), flags: [], version: /^v20/ },
  { name: 'Node 24', program: 'node24', flags: [], version: /^v24/ },
  { name: 'Deno', program: 'deno', flags: ['run', '--allow-all', '--quiet'], version: /^deno/ },
  { name: 'Bun', program: 'bun', flags: [], version: /^\d/ },
]

/** The calendar is empty again before each runtime. */
async function sites() {
  for (const path of ['/events', '/venues']) {
    const { body } = await app.call(
      'administrator',
      'GET',
      `${path}?ends_after=1000-01-01&status=publish,draft,trash&per_page=50`,
    )
    for (const { id } of body[path.slice(1)]) await app.call('administrator', 'DELETE', `${path}/${id}?force=true`)
  }
  return { kalends: app.origin, login, tec: tec.origin }
}

for (const { name, program, flags, version } of RUNTIMES) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const skip = version.test(stdout ?? '') ? false : `${name} is not installed`
  test(`the client works in ${name}`, { skip }, async () => {
    const client = pathToFileURL(join(files, 'client/index.js')).href
    const parameters = [...flags, join(files, 'anywhere.mjs'), client, JSON.stringify(await sites())]
    const { stdout } = await run(program, parameters, { timeout: 60_000 })
    assert.ok(JSON.parse(stdout).includes('TEC write'), stdout)
  })
}

test('the client works in Chromium, on a page of another origin', { skip: NO_BROWSER }, async (t) => {
  const { page } = await visit(t, { provokes: /status of 4\d\d|CORS|ERR_FAILED/ })
  await page.goto(`${tec.origin}/files/index.html`)
  const script = `Promise.all([import('/files/client/index.js'), import('/files/anywhere.mjs')])
    .then(([client, { walk }]) => walk(client, ${JSON.stringify(await sites())}))`
  const done: unknown = await page.evaluate(script)
  assert.ok(Array.isArray(done) && done.includes('TEC write'), String(done))
})
