// Plays the requests of a seed against the program in a folder, and prints a line of JSON for each response:
//   node scripts/comparing/play.ts FOLDER SEED REQUESTS
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { JournalEntry } from '../../src/storage/journal/entry.ts'
import { diceOf } from '../../test/fuzz/dice.ts'
import { CALLERS, KINDS, type Kind, type Known, nextStep, type Step } from './requests.ts'

/** A response as it is compared. */
export interface Played {
  readonly step: Step
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const [folder = '', seed = '1', count = '5000'] = process.argv.slice(2)
const HOST = 'calendar.example'
/** Headers that are never the same twice. */
const RANDOM = new Set(['date', 'x-request-id'])
/** Milliseconds of real time that what is due may take to be published. */
const PATIENCE = 60_000
/** A change after which the scheduler looks for what is due, and of which nothing else takes notice. */
const SCHEDULED_ELSEWHERE: JournalEntry = {
  ...{ seq: 0, elsewhere: true, resource: 'event', id: 0, revision: 1, action: 'update', at: '' },
  ...{ actor: null, snapshot: null },
}

const { openTestApp } = await load<typeof import('../../test/support/app.ts')>('test/support/app.ts')
const { firstDate } = await load<typeof import('../../src/calendar/shared/store-dates.ts')>(
  'src/calendar/shared/store-dates.ts',
)
const { deliver } = await load<typeof import('../../src/storage/journal/subscribe.ts')>(
  'src/storage/journal/subscribe.ts',
)
const ends: (() => Promise<void>)[] = []
const flags = { secret: 'one secret for both of the programs', corsOrigins: 'https://other.example' }
const app = await openTestApp({ after: (step) => ends.push(step) }, flags)
const dice = diceOf(Number(seed), 0)
const known = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Known
const authorizations = new Map(
  CALLERS.flatMap((as) => (as === 'anonymous' ? [] : [[as, app.authorization(as)] as const])),
)
for (let turn = 0; turn < Number(count); turn += 1) {
  // The clock continues, so that windows and publications move.
  if (dice.chance(0.05)) await advance(60_000 * dice.below(90))
  const played = await play(nextStep(dice, known, app.clock.now))
  learn(played)
  process.stdout.write(`${JSON.stringify(played)}\n`)
}
for (const end of ends) await end()

function load<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(join(folder, path)).href)
}

/**
 * Moves the clock, and waits until everything that is due has been published. By itself the scheduler would notice up to
 * 30 s of real time later, or after the next write that schedules something, while the clock may move on already.
 */
async function advance(milliseconds: number): Promise<void> {
  app.clock.now += milliseconds
  const { storage, now } = app.app
  const isDue = async (): Promise<boolean> => Date.parse(`${(await firstDate(storage)) ?? '9999-01-01'}Z`) <= now()
  const deadline = performance.now() + PATIENCE
  while (await isDue()) {
    if (performance.now() > deadline)
      throw new Error(`what was due at ${new Date(now()).toISOString()} was not published within ${PATIENCE / 1000} s`)
    deliver(storage.db, [SCHEDULED_ELSEWHERE])
    // Waking the scheduler again at once would put off what it is about to do.
    await sleep(20)
  }
}

function play(step: Step): Promise<Played> {
  const { promise, resolve, reject } = Promise.withResolvers<Played>()
  const authorization = authorizations.get(step.as as 'editor')
  const headers = { host: HOST, ...step.headers, ...(authorization !== undefined && { authorization }) }
  const sending = request(`${app.origin}${step.path}`, { method: step.method, headers, agent: false }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const own = Object.entries(response.headers).filter(([name]) => !RANDOM.has(name))
      const sent = own.map(([name, value]) => [name, String(value)] as const)
      resolve({ step, status: response.statusCode ?? 0, headers: sent, body: Buffer.concat(chunks).toString('latin1') })
    })
  })
  sending.on('error', reject)
  sending.end(step.body)
  return promise
}

/** Remembers what a write has made, for the requests after it. */
function learn({ step, status, body }: Played): void {
  const kind = /\/v1\/([a-z]+)$/.exec(step.path)?.[1] as Kind | undefined
  if (step.method !== 'POST' || status !== 201 || kind === undefined) return
  const { id, slug } = JSON.parse(Buffer.from(body, 'latin1').toString()) as { id: number; slug: string }
  known[kind].push(id, slug)
}
