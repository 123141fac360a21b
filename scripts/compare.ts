// npm run compare -- FOLDER: whether this program and the one in another folder, a checkout of another version with its
// packages, answer the same bytes. Both play the same generated requests of all roles against a new calendar and the same
// clock; `--requests N` says how many (5000), `--seed N` which. Differences are shown by the member or header in which
// they lie, each with an example. Ends with 1 when there is one that no `--allow MEMBER` expects.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Played } from './comparing/play.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    allow: { type: 'string', multiple: true, default: [] },
  },
})
const [other] = positionals
if (other === undefined) throw new Error('npm run compare -- FOLDER')
const own = join(import.meta.dirname, '..')
const [before, after] = await Promise.all([playedBy(other), playedBy(own)])

interface Difference {
  count: number
  readonly example: string
}

const differences = new Map<string, Difference>()
const statuses = new Map<number, number>()
let equal = 0
for (const [index, one] of before.entries()) {
  statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1)
  const places = placesOf(one, after[index] as Played)
  if (places.size === 0) equal += 1
  for (const [place, values] of places) {
    const known = differences.get(place)
    const { as, method, path } = one.step
    if (known === undefined) differences.set(place, { count: 1, example: `${as} ${method} ${path}: ${values}` })
    else known.count += 1
  }
}
console.log(`${before.length} requests, ${equal} with equal responses (seed ${values.seed})`)
console.log(
  [...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(', '),
)
for (const [place, { count, example }] of differences) console.log(`${count} x ${place}, such as ${example}`)
const unexpected = [...differences.keys()].filter((place) => !values.allow.some((name) => place.includes(name)))
if (unexpected.length > 0) process.exitCode = 1

async function playedBy(folder: string): Promise<Played[]> {
  const argv = [join(own, 'scripts/comparing/play.ts'), folder, values.seed, values.requests]
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = { cwd: folder, maxBuffer: 2 ** 30 }
  execFile(process.execPath, argv, options, (error, stdout) => (error ? reject(error) : resolve(stdout)))
  return (await promise)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Played)
}

/** Where two responses differ, with both values. */
function placesOf(one: Played, other: Played): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const say = (place: string, ...both: readonly unknown[]): void => {
    if (!places.has(place)) places.set(place, both.map((value) => JSON.stringify(value)?.slice(0, 300)).join(' -> '))
  }
  if (JSON.stringify(one.step) !== JSON.stringify(other.step)) say('request', one.step.path, other.step.path)
  if (one.status !== other.status) say('status', one.status, other.status)
  const fields = [new Map(one.headers), new Map(other.headers)] as const
  for (const name of new Set([...fields[0].keys(), ...fields[1].keys()]))
    if (fields[0].get(name) !== fields[1].get(name)) say(`header ${name}`, fields[0].get(name), fields[1].get(name))
  if (JSON.stringify(one.headers.map(([name]) => name)) !== JSON.stringify(other.headers.map(([name]) => name)))
    if (places.size === 0)
      say(
        'order of headers',
        one.headers.map(([name]) => name),
        other.headers.map(([name]) => name),
      )
  if (one.body !== other.body) membersOf('', [parsed(one.body), parsed(other.body)], say)
  return places
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString())
  } catch {
    return body
  }
}

type Say = (place: string, ...both: readonly unknown[]) => void

/** Names the members in which two values differ, regardless of positions in lists. */
function membersOf(path: string, [one, other]: readonly [unknown, unknown], say: Say): void {
  if (JSON.stringify(one) === JSON.stringify(other)) {
    if (path === '') say('text of the body', one, other)
    return
  }
  if (!isObject(one) || !isObject(other)) {
    say(`member ${path || 'body'}`, one, other)
    return
  }
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const order =
    Object.keys(one).join() !== Object.keys(other).join() &&
    Object.keys(one).sort().join() === Object.keys(other).sort().join()
  if (order) say(`order of members of ${path || 'body'}`, Object.keys(one), Object.keys(other))
  for (const name of names)
    membersOf(Array.isArray(one) ? `${path}[]` : `${path}.${name}`, [one[name], other[name]], say)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
