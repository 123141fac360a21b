import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'clients/typescript')
const run = promisify(execFile)

/** What a project of somebody else writes. */
const PROGRAM = `
import {
  type CalendarEvent, Conflict, kalends, KalendsError, plain, type Store, type StoredEvent, venuesOf, when,
} from '@kalends/client'

declare const environment: { readonly TOKEN?: string }
const c = kalends('https://calendar.example', { login: ['ann', 'secret'], retries: 2, token: environment.TOKEN })
export async function titles(): Promise<string[]> {
  const events: CalendarEvent[] = await c.events.list({ tags: ['jazz'], per_page: 5 }).toArray(10)
  for await (const { items, total } of c.venues.list().pages()) console.log(items[0]?.city, total)
  const made = await c.events.create({ title: 'Talk', start_date: '2031-01-01', end_date: '2031-01-01' })
  await c.events.update(made, { cost: null }, { scope: 'all' }).catch((error: unknown) => {
    if (error instanceof Conflict && error.code === 'precondition_failed') return
    if (error instanceof KalendsError) console.log(error.retryAfter ?? error.status)
  })
  const { hall } = await c.batch((b) => {
    const hall = b.venues.create({ venue: 'Hall' })
    return { hall, talk: b.events.update(made, { venue: hall.id }) }
  })
  console.log(hall.venue, String(when(made).start), venuesOf(made).length)
  for await (const change of c.changes({ expand: 'item' })) {
    if (change.resource === 'event') console.log(change.item?.title)
    // @ts-expect-error it may be a tag
    else console.log(change.item?.venue)
  }
  const halls: number[] = await c.batch(async (b) => [b.venues.create({ venue: 'Hall' }).id])
  const store = new Map<number, StoredEvent>()
  const put: Store['put'] = (resource, item) => resource === 'event' && store.set(item.id, item as StoredEvent)
  console.log(halls, put, store.get(1)?.venue[0]?.toFixed())
  // @ts-expect-error categories have no trash
  c.categories.restore(1)
  // @ts-expect-error there is no such filter
  c.events.list({ tag: 'jazz' })
  // @ts-expect-error the title is required
  void c.events.create({ start_date: '2031-01-01', end_date: '2031-01-01' })
  return events.map((event) => plain(event.title))
}
`

test('the package installs without dependencies into an empty project, and its types are strict', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-client-package-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const shell = {
    cwd: PACKAGE,
    env: { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
  }
  await run('npm', ['pack', '--pack-destination', folder], shell)
  const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"name": "project", "version": "1.0.0", "type": "module"}')
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, packed)], { ...shell, cwd: project })

  assert.deepEqual(
    (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@kalends'],
  )
  const installed = join(project, 'node_modules/@kalends/client')
  assert.deepEqual((await readdir(installed)).sort(), ['LICENSE', 'README.md', 'dist', 'package.json'])
  const description = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual(
    [description.license, description.sideEffects, description.engines.node],
    ['Apache-2.0', false, '>=20'],
  )
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    assert.equal(description[kind], undefined)

  await writeFile(join(project, 'program.ts'), PROGRAM)
  for (const [compiler, module, moduleResolution] of [
    ['typescript', 'esnext', 'bundler'],
    ['typescript-5', 'nodenext', 'nodenext'],
  ] as const) {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--lib', 'es2022,dom,dom.iterable']
    const flags = [...strict, '--target', 'es2022', '--module', module, '--moduleResolution', moduleResolution]
    const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc')
    await run(process.execPath, [tsc, ...flags, 'program.ts'], { cwd: project }).catch(({ stdout }) =>
      assert.fail(`${compiler}: ${stdout}`),
    )
  }
})

test('what runs of the client is less than 600 lines', () => {
  const files = globSync('src/*.ts', { cwd: PACKAGE })
  const lines = files.flatMap((name) => stripTypeScriptTypes(readFileSync(join(PACKAGE, name), 'utf8')).split('\n'))
  const code = lines.filter((line) => !/^\s*($|\/\/|\*|\/\*)/.test(line))
  assert.ok(code.length > 300 && code.length < 600, `${code.length} lines`)
})
