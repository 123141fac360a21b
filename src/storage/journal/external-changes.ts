import type { Storage } from '../engine.ts'
import type { JournalEntry } from './entry.ts'
import { headSeq, readSince } from './read.ts'
import { deliver, subscribe } from './subscribe.ts'

/** What this process knows of the journal that several processes write. */
export interface ExternalChanges {
  /** Highest number that this process has written or been notified of; 0 while the journal is empty. */
  seq(): number
  /**
   * Waits until a number that a client got from another process is known here: from then on reads see that write, and
   * caches and replicas respect it. After a second it gives up; reads of SQLite need not wait. Without notifications no
   * cache is trusted, and it suffices that the journal of the database has the number.
   */
  reach(seq: number): Promise<void>
  /** Stops following; resolves when no listener is called any more. */
  stop(): Promise<void>
}

/** Longest wait for a number of another process, milliseconds. */
const LONGEST_WAIT = 1000

/** Entries that are read together. */
const PAGE = 200

/** Until the journal is looked at again when that went wrong, milliseconds. */
const AGAIN = 1000

/**
 * Notifies the listeners of a storage of what other processes write from now on, shortly after their commits, even if
 * the connection to the database was lost for a while. An entry of this process may be reported twice; those of others
 * once and in order, but possibly after newer ones of this process. `report` gets a failure, once until it works again;
 * missed entries are then looked for every second.
 */
export async function followExternalChanges(
  storage: Storage,
  report: (error: unknown) => void,
): Promise<ExternalChanges> {
  let told = await headSeq(storage)
  const level = new Level(told)
  const catchingUp = new RetriedWork(catchUp, report)
  // Own entries that are newer than the last known entry of others.
  const own = new Set<number>()

  const unsubscribe = subscribe(storage, (entries) => {
    for (const { seq } of entries) if (seq > told) own.add(seq)
    while (own.delete(told + 1)) told += 1
    level.raise(entries.at(-1)?.seq ?? 0)
    // Without notifications the journal itself says what others wrote in between.
    if (own.size >= PAGE) catchingUp.ask()
  })

  async function readPage(): Promise<boolean> {
    const entries = await readSince(storage, told, PAGE)
    const foreign = entries
      .filter(({ seq }) => seq > told && !own.has(seq))
      .map((entry): JournalEntry => ({ ...entry, elsewhere: true }))
    told = Math.max(told, entries.at(-1)?.seq ?? 0)
    for (const seq of own) if (seq <= told) own.delete(seq)
    if (foreign.length > 0) deliver(storage.db, foreign)
    return entries.length === PAGE
  }

  async function catchUp(): Promise<void> {
    while (await readPage());
  }

  const stopListening = storage.onExternalCommit(() => catchingUp.ask())
  return {
    seq: () => level.highest,
    reach: async (seq) => {
      if (storage.engine === 'sqlite' || !(seq > level.highest)) return
      if (!isNotified(storage)) level.raise(await headSeq(storage))
      if (seq > level.highest) await level.reach(seq)
    },
    stop: async () => {
      stopListening()
      unsubscribe()
      await catchingUp.stop()
    },
  }
}

/** Whether the storage is being notified of commits of others: otherwise its version differs at each call. */
function isNotified(storage: Storage): boolean {
  const version = storage.dataVersion()
  return version === storage.dataVersion()
}

/** Work that runs after each request for it, once at a time, and again some time after it failed. */
class RetriedWork {
  readonly #work: () => Promise<void>
  readonly #report: (error: unknown) => void
  #isAsked = false
  #isFailing = false
  #isStopped = false
  #running: Promise<void> | undefined
  #again: NodeJS.Timeout | undefined

  /** `report` takes the first failure of those that follow each other. */
  constructor(work: () => Promise<void>, report: (error: unknown) => void) {
    this.#work = work
    this.#report = report
  }

  ask(): void {
    if (this.#isStopped) return
    clearTimeout(this.#again)
    this.#isAsked = true
    this.#running ??= this.#run()
  }

  /** Stops the work; resolves when no run is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#again)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false
        await this.#work()
      }
      this.#isFailing = false
    } catch (error) {
      if (!this.#isStopped) this.#again = setTimeout(() => this.ask(), AGAIN).unref()
      if (!this.#isFailing) this.#report(error)
      this.#isFailing = true
    } finally {
      this.#running = undefined
    }
  }
}

/** A number that only rises, and those who wait for it to do so. */
class Level {
  #highest: number
  readonly #waiting = new Set<() => void>()

  constructor(highest: number) {
    this.#highest = highest
  }

  get highest(): number {
    return this.#highest
  }

  raise(seq: number): void {
    this.#highest = Math.max(this.#highest, seq)
    for (const look of this.#waiting) look()
  }

  /** Resolves when the number is reached, or after `LONGEST_WAIT`. */
  async reach(seq: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, LONGEST_WAIT)
    const look = (): void => void (this.#highest >= seq && resolve())
    this.#waiting.add(look)
    await promise
    this.#waiting.delete(look)
    clearTimeout(timer)
  }
}
