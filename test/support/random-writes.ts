import { SEED } from './draws.ts'

/** A request that changes a calendar. */
export interface RandomWrite {
  readonly method: 'POST' | 'DELETE'
  /** Below the namespace of the interface. */
  readonly path: string
  readonly json: object
}

const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
type Kind = (typeof KINDS)[number]

/** More events than these are rather deleted. */
const MANY = 250

/**
 * Writes at random, the same in each run: of everything that can happen to events, series and their dates, venues, organizers and
 * terms. Most succeed.
 */
export class RandomWrites {
  readonly #known: Record<Kind, number[]> = { events: [], venues: [], organizers: [], categories: [], tags: [] }
  #state = SEED

  /** A number below `limit`. */
  number(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((this.#state / 0x80000000) * limit)
  }

  next(): RandomWrite {
    const draw = this.number(100)
    if (draw < 30 && this.#known.events.length < MANY) return { method: 'POST', path: '/events', json: this.#event() }
    if (draw < 65) return this.#change()
    if (draw < 76) return this.#removal('events', `scope=${this.#scope()}`)
    if (draw < 80) return { method: 'POST', path: this.#one('events'), json: { status: 'publish', scope: 'all' } }
    if (draw < 92) return this.#linked(this.#pick(['venues', 'organizers']))
    return this.#term(this.#pick(['categories', 'tags']))
  }

  /** Takes what a write has made, or what exists, into account. */
  learn({ method, path }: RandomWrite, ids: readonly number[]): void {
    const [, name] = /^\/(\w+)/.exec(path) ?? []
    const kind = KINDS.find((one) => one === name)
    if (kind === undefined) return
    if (method === 'DELETE' && path.includes('force')) {
      const gone = Number(/\d+/.exec(path)?.[0])
      this.#known[kind] = this.#known[kind].filter((id) => id !== gone)
    } else for (const id of ids) if (!this.#known[kind].includes(id)) this.#known[kind].push(id)
  }

  /** Leaves out an item that is gone. */
  forget({ path }: RandomWrite): void {
    const [, name, id] = /^\/(\w+)\/(\d+)/.exec(path) ?? []
    const kind = KINDS.find((one) => one === name)
    if (kind !== undefined) this.#known[kind] = this.#known[kind].filter((one) => one !== Number(id))
  }

  #pick<One>(all: readonly One[]): One {
    return all[this.number(all.length)] as One
  }

  /** Path of a known item; of one that never was while there is none. */
  #one(kind: Kind): string {
    return `/${kind}/${this.#pick(this.#known[kind]) ?? 1}`
  }

  #scope(): string {
    return this.#pick(['this', 'following', 'all', 'all'])
  }

  #event(): object {
    const day = `${2026 + this.number(3)}-${String(1 + this.number(12)).padStart(2, '0')}-11`
    const all = {
      title: `Event ${this.number(1000)}`,
      start_date: `${day} ${10 + this.number(8)}:00`,
      end_date: `${day} 20:00`,
      status: this.#pick(['publish', 'publish', 'publish', 'publish', 'draft', 'pending', 'private']),
      venue: this.#pick([this.#pick(this.#known.venues) ?? null, { venue: `Hall ${this.number(5)}` }, null]),
      organizer: this.#pick([[], [{ organizer: `Club ${this.number(5)}` }]]),
      categories: [`Art ${this.number(6)}`].slice(this.number(2)),
      tags: [`tag${this.number(9)}`, `tag${this.number(9)}`].slice(this.number(3)),
      recurrence: this.#pick([null, null, [`RRULE:FREQ=WEEKLY;COUNT=${this.#pick([2, 3, 5, 60])}`]]),
      password: this.#pick(['', '', '', 'sesame']),
      hide_from_listings: this.number(10) === 0,
    }
    return all
  }

  #change(): RandomWrite {
    const { start_date, end_date, ...others } = this.#event() as Record<string, unknown>
    const times = this.number(3) === 0 ? { start_date, end_date } : {}
    const some = Object.entries(others).filter(() => this.number(4) === 0)
    const json = { ...times, ...Object.fromEntries(some), scope: this.#scope() }
    return { method: 'POST', path: this.#one('events'), json }
  }

  #removal(kind: Kind, query: string): RandomWrite {
    const isForced = this.number(4) === 0 || this.#known.events.length >= MANY
    return { method: 'DELETE', path: `${this.#one(kind)}?${query}${isForced ? '&force=true' : ''}`, json: {} }
  }

  #linked(kind: 'venues' | 'organizers'): RandomWrite {
    const name = kind === 'venues' ? 'venue' : 'organizer'
    const draw = this.number(6)
    if (draw === 0) return { method: 'POST', path: `/${kind}`, json: { [name]: `${name} ${this.number(9)}` } }
    if (draw < 3) return this.#removal(kind, '')
    const json =
      draw === 3 ? { [name]: `${name} ${this.number(9)}` } : { status: this.#pick(['publish', 'publish', 'draft']) }
    return { method: 'POST', path: this.#one(kind), json }
  }

  #term(kind: 'categories' | 'tags'): RandomWrite {
    const draw = this.number(4)
    if (draw === 0) return this.#removal(kind, '')
    const parent = kind === 'categories' && { parent: this.#pick([0, this.#pick(this.#known.categories) ?? 0]) }
    const json = { name: `${kind} ${this.number(30)}`, slug: `slug-${this.number(1000)}`, ...parent }
    return { method: 'POST', path: draw === 1 ? `/${kind}` : this.#one(kind), json }
  }
}
