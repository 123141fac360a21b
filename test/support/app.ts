import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addPassword, addUser, enableUser, findLogin } from '../../src/accounts/users/index.ts'
import { openApp } from '../../src/app/app.ts'
import { type Flags, readConfig } from '../../src/base/config.ts'
import { createLog } from '../../src/base/log.ts'
import type { App } from '../../src/cli/types.ts'
import type { Role } from '../../src/http/auth/rights.ts'
import { atEnd, type TestScope } from './at-end.ts'
import { contractAt, fetchChecked } from './checked.ts'
import { createPostgresDatabase, TEST_ENGINE } from './test-engine.ts'
import { migratedFile } from './test-storage.ts'

/** An answer of the server under test; `body` is parsed JSON, or text where the answer is none. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly body: any
}

/** What a test sends. */
export interface Sending {
  /** JSON body. */
  readonly json?: unknown
  /** Body as it is; the content type comes with the headers. */
  readonly raw?: string
  /** Form body. */
  readonly form?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  /** The test has broken the server on purpose: its answer is not compared with the document. */
  readonly isBroken?: boolean
}

/** A real application on a temporary folder, listening on a free port of 127.0.0.1; its answers are checked. */
export interface TestApp {
  readonly app: App
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Moves the clock; milliseconds. */
  clock: { now: number }
  /** Calls a path below the namespace as a role, or as nobody. */
  call(as: Role | 'anonymous', method: string, path: string, sending?: Sending): Promise<Answer>
  /** Value of an Authorization header for a role. */
  authorization(as: Role): string
}

/** Moment at which tests start unless they say otherwise: 2026-11-20 18:00:00 UTC. */
const TEST_NOW = Date.UTC(2026, 10, 20, 18, 0, 0)

const ROLES: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber']

/**
 * No limits for clients: the clock of a test stands still, so that no window of a limit would ever end. A read may take a
 * minute: on a busy machine any may take longer than its two seconds.
 */
export const UNLIMITED: Flags = {
  readTimeout: '60000',
  limitReads: 'none',
  limitCostlyReads: 'none',
  limitWrites: 'none',
  limitLogIns: 'none',
  limitGuesses: 'none',
  limitSubmissions: 'none',
  limitMcp: 'none',
  limitMcpWrites: 'none',
}

/**
 * Opens the application with one user of each role, named after it, and without limits for clients; everything is removed
 * after the test. Commits do not wait for the disk: a test does not outlive a power cut. The log goes to `lines`, else nowhere.
 */
export async function openTestApp(t: TestScope, flags: Flags = {}, lines?: string[]): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'kalends-'))
  const clock = { now: TEST_NOW }
  const now = (): number => clock.now
  const place = { port: '0', data: folder, synchronous: 'NORMAL', ...UNLIMITED, ...(await databaseFlags()) }
  if (TEST_ENGINE === 'sqlite') await migratedFile(folder)
  const config = readConfig({ ...place, siteZone: 'America/New_York', siteHost: 'calendar.example', ...flags }, {})
  const stream = { write: (line: string) => void lines?.push(line) }
  const log = createLog({ level: lines === undefined ? 'silent' : 'debug', now, stream })
  const app = await openApp(config, { now, log, role: 'serve' })
  atEnd(t, async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  const { addresses } = await app.listen()
  const origin = addresses[0] ?? ''
  const passwords = new Map<string, string>()
  for (const role of ROLES) {
    await keepUser(app, role)
    passwords.set(role, (await addPassword(app, { name: role })).password)
  }
  const authorization = (as: Role): string => `Basic ${Buffer.from(`${as}:${passwords.get(as)}`).toString('base64')}`
  // biome-ignore lint/complexity/useMaxParams: who, method, path, content: a request line
  const call: TestApp['call'] = async (as, method, path, sending = {}) => {
    const query = new URLSearchParams(
      Object.entries(sending.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const url = path.startsWith('http') ? path : `${origin}/cal/events/v1${path}${query.size === 0 ? '' : `?${query}`}`
    const headers: Record<string, string> = { ...sending.headers }
    if (as !== 'anonymous') headers['authorization'] = authorization(as)
    const body = bodyOf(sending, headers)
    const ask = sending.isBroken === true ? fetch : fetchChecked
    const response = await ask(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }
  return { app: { ...app, ...importing(app, origin) }, origin, clock, call, authorization }
}

/** Imported items hold members of other programs. */
function importing({ importJson, importSite }: App, origin: string): Pick<App, 'importJson' | 'importSite'> {
  if (importJson === undefined || importSite === undefined) return {}
  return {
    importJson: async (files, options) => {
      const contract = await contractAt(origin)
      contract.allowUnknownMembers()
      return importJson(files, options)
    },
    importSite: async (input, onProgress) => {
      const contract = await contractAt(origin)
      contract.allowUnknownMembers()
      return importSite(input, onProgress)
    },
  }
}

/** Where the calendar is stored in this run of the tests: a file in the data folder by default. */
export async function databaseFlags(): Promise<Flags> {
  return TEST_ENGINE === 'postgres' ? { database: await createPostgresDatabase('all tables') } : {}
}

function bodyOf(sending: Sending, headers: Record<string, string>): string | URLSearchParams | undefined {
  if (sending.raw !== undefined) return sending.raw
  if (sending.form !== undefined) return new URLSearchParams(sending.form)
  if (sending.json === undefined) return undefined
  headers['content-type'] ??= 'application/json'
  return JSON.stringify(sending.json)
}

/** The user of a role; one that the database has already, as a copy of another calendar may, can sign in from now on. */
async function keepUser(app: App, role: Role): Promise<void> {
  const known = await findLogin(app.storage, role)
  if (known === undefined) await addUser(app, { name: role, email: `${role}@example.org`, role })
  else if (known.disabledAt !== null) await enableUser(app, { name: role })
}
