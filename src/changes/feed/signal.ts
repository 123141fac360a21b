import type { Storage } from '../../storage/engine.ts'
import { subscribe } from '../../storage/journal/subscribe.ts'

/** Milliseconds between two looks for commits that nobody reports: those of the process that writes to a SQLite file. */
const LOOK = 500

/** Looks after which waiting clients get an answer in any case: a session may have expired, or a replica been behind. */
const LOOKS = 20

/** Tells those who wait that something may have been committed, by whichever process, and now and then anyway. */
export class CommitSignal {
  readonly #storage: Storage
  readonly #waiting = new Set<() => void>()
  #count = 0
  #version: number | undefined
  #look: NodeJS.Timeout | undefined
  #looks = 0

  constructor(storage: Storage) {
    this.#storage = storage
    subscribe(storage, () => this.#tell())
  }

  /** A number that differs after commits; what is read after asking for it sees what it covers. */
  get count(): number {
    return this.#count
  }

  /** Resolves when the number is another one, or at the signal. */
  async after(count: number, signal: AbortSignal): Promise<void> {
    if (this.#count !== count || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    const ended = (): void => resolve()
    signal.addEventListener('abort', ended)
    this.#look ??= setInterval(() => this.#lookForCommits(), LOOK).unref()
    await promise
    signal.removeEventListener('abort', ended)
    this.#waiting.delete(resolve)
    if (this.#waiting.size > 0) return
    clearInterval(this.#look)
    this.#look = undefined
  }

  #lookForCommits(): void {
    const version = this.#versionNow()
    this.#looks = (this.#looks + 1) % LOOKS
    if (version === this.#version && this.#looks > 0) return
    this.#version = version
    this.#tell()
  }

  /** Undefined once the storage is closed: its streams end. */
  #versionNow(): number | undefined {
    try {
      return this.#storage.dataVersion()
    } catch {
      return undefined
    }
  }

  #tell(): void {
    this.#count += 1
    for (const resolve of this.#waiting) resolve()
  }
}
