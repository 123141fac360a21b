import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { promisify } from 'node:util'
import { openTestApp } from './support/app.ts'

// The generators write their files with the interface of TypeScript 5, which 7 does not have.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
})

interface Document {
  readonly servers: readonly { readonly url: string }[]
}

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)
const app = await openTestApp({ after })
const document: Document = (await app.call('anonymous', 'GET', '/doc')).body
const folder = await mkdtemp(join(tmpdir(), 'kalends-clients-'))
after(() => rm(folder, { recursive: true, force: true }))
await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

/** The event that the README creates, with a venue and an organizer of its own, as it is written there. */
const EVENT = await (async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  const [, body] = /-d '(\{[^']*"venue": \{[^']*\})'/.exec(readme) ?? []
  return body ?? assert.fail('the README creates no event with a venue')
})()

/** What is changed: values as they were read, some of them beside new ones. */
const CHANGE = `{
  title: 'Long night', venue: made.venue, organizer: made.organizer, all_day: true, image: false, cost: 12.5,
  tags: [...made.tags, 'free'], categories: made.categories,
}`

const FILTER = "{ starts_after: '2031-05-01', per_page: 5 }"
const NOTHING = "if (made === undefined) throw new Error('nothing was created')"

/** A program for each client: it creates, reads, lists, changes and deletes an event, and returns what it saw. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'openapi-fetch': `
    import createClient from 'openapi-fetch'
    import type { paths } from './openapi-typescript.js'
    export async function walk(baseUrl: string, authorization: string) {
      const client = createClient<paths>({ baseUrl, headers: { authorization } })
      const { data: made } = await client.POST('/events', { body: ${EVENT} })
      ${NOTHING}
      const params = { path: { id: made.id } }
      const { data: read } = await client.GET('/events/{id}', { params })
      const { data: list } = await client.GET('/events', { params: { query: ${FILTER} } })
      const { data: changed } = await client.PATCH('/events/{id}', { params, body: ${CHANGE} })
      const { response } = await client.DELETE('/events/{id}', { params })
      return { made, read, events: list?.events, changed, deleted: response.status }
    }`,
  'hey-api': `
    import { client } from './hey-api/client.gen.js'
    import { createEvent, deleteEvent, getEvent, listEvents, updateEventByPatch } from './hey-api/sdk.gen.js'
    export async function walk(baseUrl: string, authorization: string) {
      client.setConfig({ baseUrl, headers: { authorization } })
      const throwOnError = true
      const { data: made } = await createEvent({ throwOnError, body: ${EVENT} })
      const path = { id: made.id }
      const { data: read } = await getEvent({ throwOnError, path })
      const { data: list } = await listEvents({ throwOnError, query: ${FILTER} })
      const { data: changed } = await updateEventByPatch({ throwOnError, path, body: ${CHANGE} })
      const { response } = await deleteEvent({ throwOnError, path })
      return { made, read, events: list.events, changed, deleted: response.status }
    }`,
  orval: `
    import { createEvent, deleteEvent, getEvent, listEvents, updateEventByPatch } from './orval/client.js'
    import * as zod from './orval/zod.js'
    export async function walk(_baseUrl: string, authorization: string) {
      const options = { headers: { authorization } }
      const body = zod.CreateEventBody.parse(${EVENT})
      const made = zod.CreateEventResponse.parse((await createEvent(body, {}, options)).data)
      const read = zod.GetEventResponse.parse((await getEvent(made.id, {}, options)).data)
      const list = zod.ListEventsResponse.parse((await listEvents(${FILTER}, options)).data)
      const change = zod.UpdateEventByPatchBody.parse(${CHANGE})
      const changed = zod.UpdateEventByPatchResponse.parse(
        (await updateEventByPatch(made.id, change, {}, options)).data)
      const { status } = await deleteEvent(made.id, {}, options)
      return { made, read, events: list.events, changed, deleted: status }
    }`,
}

interface Item {
  readonly id: number
  readonly title: string
  readonly cost: string
  readonly all_day: boolean
  readonly venue: { readonly id: number; readonly venue: string }
  readonly organizer: readonly { readonly organizer: string }[]
  readonly tags: readonly { readonly name: string }[]
}

interface Walked {
  readonly made: Item
  readonly read: Item
  readonly events: readonly Item[]
  readonly changed: Item
  readonly deleted: number
}

type Walk = (baseUrl: string, authorization: string) => Promise<Walked>

/** Clients of a document, in a folder of their own; those of other namespaces are compiled only. */
async function generate(made: Document, home: string): Promise<void> {
  const [{ default: openapiTypescript, astToString }, { createClient }, { generate: orval }] = await Promise.all([
    import('openapi-typescript'),
    import('@hey-api/openapi-ts'),
    import('orval'),
  ])
  await mkdir(home, { recursive: true })
  const file = join(home, 'document.json')
  await writeFile(file, JSON.stringify(made))
  const types = astToString(await openapiTypescript(JSON.stringify(made)))
  await writeFile(join(home, 'openapi-typescript.ts'), types)
  const heyApi = { path: join(home, 'hey-api'), module: { extension: '.js' } } as const
  const sdk = { name: '@hey-api/sdk', validator: true } as const
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', sdk] as const
  await createClient({ input: file, output: heyApi, plugins: [...plugins], logs: { level: 'silent' } })
  const input = { target: file }
  const parts = { target: join(home, 'orval/client.ts'), schemas: join(home, 'orval/model') }
  const baseUrl = made.servers[0]?.url ?? assert.fail('the document names no server')
  await orval({ input, output: { ...parts, client: 'fetch', mode: 'split', baseUrl } }, home)
  await orval({ input, output: { target: join(home, 'orval/zod.ts'), client: 'zod', mode: 'single' } }, home)
}

/** Compiles everything in one run, strictly, and returns the folder of the programs. */
async function compile(): Promise<string> {
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    module: 'commonjs',
    moduleResolution: 'bundler',
    outDir: 'js',
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch((error) =>
    assert.fail(`the clients do not compile:\n${error.stdout}`),
  )
  const made = join(folder, 'js')
  await writeFile(join(made, 'package.json'), '{"type":"commonjs"}')
  return made
}

test('clients that three generators make of the document compile strictly and create, list, read, change and delete', async (t) => {
  const own = (await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/doc`)).body
  await generate(document, folder)
  await generate(own, join(folder, 'own'))
  for (const version of ['3.0', '3.1']) {
    const tec = (await app.call('anonymous', 'GET', `${app.origin}/tec/v1/docs?version=${version}`)).body
    await generate(tec, join(folder, `tec-${version}`))
  }
  for (const [name, program] of Object.entries(PROGRAMS)) await writeFile(join(folder, `${name}.ts`), program)
  const compiled = await compile()
  for (const name of Object.keys(PROGRAMS)) {
    await t.test(name, async () => {
      const { walk }: { walk: Walk } = createRequire(import.meta.url)(join(compiled, `${name}.js`))
      const { made, read, events, changed, deleted } = await walk(
        `${app.origin}/cal/events/v1`,
        app.authorization('administrator'),
      )
      assert.deepEqual([made.title, made.cost, made.venue.venue], ['Night of the museums', '€12', 'Old Mint'])
      assert.deepEqual(
        made.organizer.map((one) => one.organizer),
        ['Museum Friends'],
      )
      assert.deepEqual([read.id, read.title], [made.id, made.title])
      assert.deepEqual(
        events.map((one) => one.id),
        [made.id],
      )
      assert.deepEqual([changed.title, changed.all_day, changed.venue.id], ['Long night', true, made.venue.id])
      assert.deepEqual(
        changed.tags.map((one) => one.name),
        ['free', 'indoors', 'late'],
      )
      assert.equal(deleted, 200)
      assert.equal((await app.call('administrator', 'GET', `/events/${made.id}`)).body.status, 'trash')
    })
  }
})

test('redocly finds neither an error nor a warning in any of the documents', async () => {
  const files = await Promise.all(
    ['cal/events/v1/doc', 'kalends/v1/doc', 'tec/v1/docs', 'tec/v1/docs?version=3.1'].map(async (path) => {
      const { body } = await app.call('anonymous', 'GET', `${app.origin}/${path}`)
      const file = join(folder, `${path.replaceAll(/\W/g, '-')}.json`)
      await writeFile(file, JSON.stringify(body))
      return file
    }),
  )
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const cli = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js')
  const parameters = [cli, 'lint', '--extends=recommended', '--format=json', ...files]
  const { stdout } = await run(process.execPath, parameters, { env, cwd: folder, maxBuffer: 10 * 1024 ** 2 })
  const found = [...stdout.matchAll(/"(?:errors|warnings)": \d+/g)].map(([count]) => count)
  assert.deepEqual(
    found,
    files.flatMap(() => ['"errors": 0', '"warnings": 0']),
    stdout,
  )
})
