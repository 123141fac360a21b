import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { programFile } from '../../storage/program-file.ts'
import { type Message, MessageReader, SPENT, sendMessage } from './decoder-channel.ts'
import type { DecoderReply } from './decoder-process.ts'

/** What a process that decodes images may use. */
export interface DecoderLimits {
  /** Resident memory, in bytes. */
  readonly memory: number
  /** Processor time for one image, in milliseconds. */
  readonly cpu: number
  /** Time that passes while one image is decoded, in milliseconds. */
  readonly patience: number
  /** Bytes of an image, and of all that is made of it. */
  readonly bytes: number
}

/**
 * Reserved but not resident: V8, stacks of threads, buffers that are never filled. The system refuses memory beyond
 * `memory` and this, should anything grow faster than the process looks at itself.
 */
const RESERVED = 1024 ** 3

/** Processor seconds after which the system ends the process, however many images it has decoded. */
const CPU_SECONDS = 600

const SHELL = '/bin/sh'
const CAGE = 'ulimit -c 0; ulimit -d "$1"; ulimit -t "$2"; shift 2; exec "$@"'

/** One thread, small heaps: the work is done outside of JavaScript. */
const NODE_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=1', '--max-old-space-size=64', '--no-warnings']

/** All that the process has of an environment: it knows neither the key of the server nor its database. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', VIPS_CONCURRENCY: '1' }

/** How the process came to its end before it had answered: by itself, or because it took too long. */
export class DecoderEnded extends Error {
  readonly isLate: boolean
  /** Whether it had used up its time of the processor. */
  readonly isSpent: boolean
  /** The last lines that it printed. */
  readonly output: string

  constructor({ isLate, isSpent }: { readonly isLate: boolean; readonly isSpent: boolean }, output: string) {
    super(`the process that decodes images ${isLate ? 'took too long' : 'ended'}: ${output}`)
    this.isLate = isLate
    this.isSpent = isSpent
    this.output = output
  }
}

/** One process that decodes images, one at a time. It keeps nothing of the server alive, and ends with it. */
export class DecoderChild {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #limits: DecoderLimits
  readonly #reader: MessageReader<DecoderReply>
  #settle: { resolve(message: Message<DecoderReply>): void; reject(error: Error): void } | undefined
  #output = ''
  #hasEnded = false
  #isLate = false
  #isSpent = false
  #asked = 0

  constructor(limits: DecoderLimits) {
    this.#limits = limits
    this.#reader = new MessageReader<DecoderReply>(limits.bytes)
    const [program = '', ...argv] = commandFor(limits)
    this.#child = spawn(program, argv, { stdio: ['pipe', 'pipe', 'pipe'], env: ENVIRONMENT })
    this.#child.on('error', (error) => this.#end(String(error)))
    this.#child.on('exit', (_code, signal) => {
      this.#isSpent = signal === SPENT
      this.#end('')
    })
    this.#child.stdin.on('error', () => this.#end(''))
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#output = `${this.#output}${chunk.toString()}`.slice(-1000)
    })
    this.#child.unref()
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr])
      if (stream instanceof Socket) stream.unref()
  }

  /** Of the process; undefined if there is none. */
  get pid(): number | undefined {
    return this.#hasEnded ? undefined : this.#child.pid
  }

  /** Images that it was sent. */
  get asked(): number {
    return this.#asked
  }

  /** Resolves when it has loaded what it needs. @throws DecoderEnded */
  ready(): Promise<Message<DecoderReply>> {
    return this.#next()
  }

  /** Sends an image; what the process says of it. @throws DecoderEnded */
  ask(bytes: Buffer): Promise<Message<DecoderReply>> {
    this.#asked += 1
    const said = this.#next()
    if (!this.#hasEnded) sendMessage(this.#child.stdin, {}, [bytes])
    return said
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #next(): Promise<Message<DecoderReply>> {
    if (this.#hasEnded) return Promise.reject(this.#ended(''))
    return new Promise<Message<DecoderReply>>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isLate = true
        this.kill()
      }, this.#limits.patience)
      this.#settle = {
        resolve: (message) => {
          clearTimeout(timer)
          resolve(message)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
    })
  }

  #take(chunk: Buffer): void {
    try {
      const message = this.#reader.push(chunk)
      if (message === undefined) return
      const settle = this.#settle
      this.#settle = undefined
      settle?.resolve(message)
    } catch (error) {
      this.kill()
      this.#end(String(error))
    }
  }

  #end(reason: string): void {
    this.#hasEnded = true
    const settle = this.#settle
    this.#settle = undefined
    settle?.reject(this.#ended(reason))
  }

  #ended(reason: string): DecoderEnded {
    return new DecoderEnded({ isLate: this.#isLate, isSpent: this.#isSpent }, `${reason}${this.#output}`)
  }
}

/** Through a shell that sets limits which the system enforces, where there is one. */
function commandFor({ memory, cpu, bytes }: DecoderLimits): string[] {
  const file = fileURLToPath(programFile('./decoder-process', import.meta.url))
  const command = [process.execPath, ...NODE_FLAGS, file, ...[memory, cpu, bytes].map(String)]
  if (!existsSync(SHELL)) return command
  const kilobytes = Math.ceil((memory + RESERVED) / 1024)
  return [SHELL, '-c', CAGE, 'decoder', String(kilobytes), String(CPU_SECONDS), ...command]
}
