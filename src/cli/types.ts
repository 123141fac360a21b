import type { Config } from '../config.ts'
import type { JsonImport } from '../feeds/index.ts'
import type { WritingProcess } from '../http/request/hand-over.ts'
import type { RawExchange } from '../http/request/server-request.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics/open.ts'
import type { Storage, WriterRole } from '../storage/engine.ts'

export type { ImportReport, JsonFile, JsonImport } from '../feeds/index.ts'

/** What the commands need of the application, which they do not know: `openApp` is handed to them. */
export interface App {
  readonly storage: Storage
  /** Key under which application passwords are hashed, see `loadSecret`. */
  readonly secret: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Does beforehand what the first requests would wait for; to be called before `listen`, never rejects. */
  warm?(): Promise<void>
  /** Starts to answer HTTP; `addresses` are origins such as `http://127.0.0.1:3000`, at least one. @throws the system error of the socket */
  listen(): Promise<{ addresses: readonly string[] }>
  /** Answers a request that another process has handed over, as one that came through the port; also before `listen`. */
  answer?(exchange: RawExchange): void
  /** From now on refuses what comes with 503, and goes on with what is under way; the port stays open. */
  refuse?(): void
  /** Says from now on that this process is about to end, to those who decide where requests go; it answers as before. */
  drain(): void
  /** Stops accepting, finishes what is under way, writes everything down and closes the storage. */
  close(): Promise<void>
  /** Absent where nobody asks for them. */
  readonly metrics?: Metrics
  /** Takes recorded answers of a calendar over into this one. */
  readonly importJson?: JsonImport
}

/** What the application is opened for: `serve` may listen and runs the schedules, `operator` does one thing and closes. */
export type AppRole = 'serve' | 'operator'

/** Which process writes to a data folder, and where requests that write go while another one does. */
export interface RoutedWriterRole extends WriterRole, WritingProcess {}

/** What the application is opened with. */
export interface OpenOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Logger
  readonly role: AppRole
  /** Gets a line for each request; absent when nobody wants them. */
  readonly accessLog?: Logger | undefined
  /** Absent where this process writes. */
  readonly writerRole?: RoutedWriterRole
  /** Whether a database without tables becomes a calendar; default true. */
  readonly mayBegin?: boolean
  /** Whether it is one of the workers of a supervisor, which count their clients together. */
  readonly isWorker?: boolean
}

/**
 * Opens the application: storage opened and migrated, key loaded. The data folder is there and its lock is held, by this
 * process or by one that has migrated the storage.
 * @throws no_calendar, key_missing
 */
export type OpenApp = (config: Config, options: OpenOptions) => Promise<App>

/** How far an operation is; `total` is 0 as long as nobody knows. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** Something that text is written to: standard output or error. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
}

/** Everything a command gets from outside; `main.ts` is the only place that takes it from the process. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly openApp: OpenApp
  readonly stdout: Output
  readonly stderr: Output
}
