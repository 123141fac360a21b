import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Statement } from '../../engine.ts'
import { programFile } from '../../program-file.ts'
import type { RowTable } from './connection.ts'
import type { FileIdentity } from './files.ts'
import { FrameReader, frameOf } from './frames.ts'
import type { ReadReply } from './reader.ts'

/** A reader passes rows on and keeps nothing, and V8 would use up to 130 MB for young objects and four more threads. */
const FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1']

/** A file that must not have become another one when a process opens it. */
export interface OpenedFile {
  readonly path: string
  readonly identity: FileIdentity
}

/**
 * A process that reads a SQLite file: a statement of SQLite cannot be interrupted, but a process can be killed. It ends
 * with this one, however that ends, and keeps it alive only while it works.
 */
export class ReadProcess {
  readonly #process: ChildProcess
  readonly #channel: Socket
  readonly #frames = new FrameReader()
  readonly #ended: Promise<void>
  #cause: unknown
  #asked: PromiseWithResolvers<unknown> | undefined
  #isAlive = true
  #isReady = false
  readonly #started: Promise<unknown>
  readonly #onEnd: () => void

  /** `onEnd` is called once, when it has ended or is not usable any more. */
  constructor({ path, identity = '' }: OpenedFile, onEnd: () => void) {
    this.#onEnd = onEnd
    const program = fileURLToPath(programFile('./reader', import.meta.url))
    this.#process = spawn(process.execPath, [...FLAGS, program, path, identity], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
      env: environment(),
    })
    const { stdio } = this.#process
    this.#channel = stdio[3] as Socket
    const lifeline = stdio[4] as Socket
    this.#channel.on('data', (piece: Buffer) => this.#take(piece))
    // What breaks here breaks because the process has ended, which is reported below.
    for (const socket of [this.#channel, lifeline]) socket.on('error', () => undefined)
    this.#process.once('error', (error) => this.#end(error))
    this.#ended = once(this.#process, 'exit').then(
      ([code, signal]) => this.#end(new Error(`it ended with ${signal ?? code}`)),
      () => undefined,
    )
    lifeline.unref()
    yieldToOthers(this.#process.pid)
    this.#started = this.#next()
    this.#started.catch(() => undefined)
    this.#rest()
  }

  /** Number of the process; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid
  }

  /** Whether it has started. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Resolves when it has started. @throws when it cannot */
  async ready(): Promise<void> {
    if (this.#isReady) return
    this.#hold()
    await this.#started
  }

  /**
   * The rows of a statement; one at a time, after `ready`.
   * @throws an error that carries SQLite's text and `errcode`, or says that the process has ended
   */
  async ask(statement: Statement): Promise<RowTable> {
    this.#channel.write(frameOf(statement))
    const reply = (await this.#next()) as ReadReply
    if (reply.ok) return reply.table
    throw Object.assign(new Error(reply.message), { errcode: reply.errcode })
  }

  /** Kills it; pending calls reject. Resolves when it has ended. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    this.#end(new Error('it was killed'))
    this.#process.ref()
    await this.#ended
  }

  #next(): Promise<unknown> {
    if (!this.#isAlive) return Promise.reject(this.#failure())
    const asked = Promise.withResolvers<unknown>()
    this.#asked = asked
    this.#hold()
    return asked.promise
  }

  #take(piece: Buffer): void {
    for (const value of this.#frames.take(piece)) {
      this.#isReady = true
      this.#rest()
      this.#asked?.resolve(value)
    }
  }

  #end(cause: unknown): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#cause = cause
    this.#rest()
    this.#asked?.reject(this.#failure())
    this.#onEnd()
  }

  /** A pending call keeps this process alive. */
  #hold(): void {
    this.#process.ref()
    this.#channel.ref()
  }

  #rest(): void {
    this.#process.unref()
    this.#channel.unref()
  }

  #failure(): Error {
    return new Error('the reading process ended before it had answered', { cause: this.#cause })
  }
}

/** In units of `nice`: a third of what the server gets when both want the same core. */
const YIELDING = 5

/** Long queries, and the start of a process, use spare processor time: short requests come first. */
function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, YIELDING)
  } catch {
    // It has ended, or the system has no such thing.
  }
}

/** Nothing is inherited: secrets least of all, and nothing that changes how Node runs. */
function environment(): Record<string, string> {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
}
