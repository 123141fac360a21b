import type { MailService } from '../accounts/mail/index.ts'
import type { OpenWays } from '../accounts/ways-in/index.ts'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import type { CalendarFilesImport, JsonImport, SiteImport } from '../exchange/index.ts'
import type { ManagedSubscriptions } from '../exchange/subscriptions/index.ts'
import type { Metrics } from '../ops/metrics/open.ts'
import type { Storage } from '../storage/engine.ts'

export type {
  CalendarFile,
  CalendarFilesInput,
  CalendarFilesReport,
  ImportReport,
  JsonFile,
  JsonImport,
  SiteImportInput,
  SiteReport,
} from '../exchange/index.ts'
export type { EventsLeft, Subscription, SubscriptionInput } from '../exchange/subscriptions/index.ts'

/** What the commands need of the application, which they do not import: `openApp` is passed to them. */
export interface App {
  readonly storage: Storage
  /** Key under which application passwords are hashed, see `loadSecret`. */
  readonly secret: string
  /** Unix milliseconds. */
  readonly now: () => number
  /** The ways in that work. */
  readonly openWays?: OpenWays
  /** Does the work that the first requests would wait for; call it before `listen`. Never rejects. */
  warm?(): Promise<void>
  /** Starts to answer HTTP; `addresses` are origins such as `http://127.0.0.1:3000`, at least one. @throws the system error of the socket */
  listen(): Promise<{ addresses: readonly string[] }>
  /** Present public address of the site, or else where it listens; '' before that. */
  publicAddress?(): string
  /** From now on new requests get 503, and requests in progress continue; the port stays open. */
  refuse?(): void
  /** Says from now on that this process is about to end, to those who decide where requests go; it answers as before. */
  drain(): void
  /** Stops accepting, finishes requests in progress, flushes everything and closes the storage. */
  close(): Promise<void>
  /** The mails of the calendar. */
  readonly mail?: MailService
  /** Queues them. */
  readonly mailer?: MailService['mailer']
  /** Absent when metrics are off. */
  readonly metrics?: Metrics
  /** Takes recorded responses of a calendar over into this one. */
  readonly importJson?: JsonImport
  /** Takes a whole site over into this one. */
  readonly importSite?: SiteImport
  /** Takes calendars in other forms over. */
  readonly importCalendars?: CalendarFilesImport
  /** The calendars that are followed. */
  readonly subscriptions?: ManagedSubscriptions
}

/**
 * The purpose of the application: `serve` may listen and runs the schedules, `operator` runs one operation and closes.
 */
export type AppRole = 'serve' | 'operator'

/** What the application is opened with. */
export interface OpenOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Logger
  readonly role: AppRole
  /** Of the process, for the programs that it runs; empty if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether this process holds a lock that keeps all others from writing, on SQLite; default false. */
  readonly isOnlyWriter?: boolean
  /** Whether an empty database becomes a calendar; default true. */
  readonly mayBegin?: boolean
}

/**
 * Opens the application: storage opened and migrated, key loaded. The data folder exists and its lock is held, by this
 * process or by one that has migrated the storage.
 * @throws no_calendar, key_missing
 */
export type OpenApp = (config: Config, options: OpenOptions) => Promise<App>

/** Progress of an operation; `total` is 0 while it is unknown. */
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
  /** Asks on the terminal for a secret, which is not shown; undefined if there is none. */
  readonly askSecret?: (question: string) => Promise<string | undefined>
  readonly stdout: Output
  readonly stderr: Output
}
