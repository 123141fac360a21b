import type { Mailer } from '../accounts/mail/index.ts'
import type { ProviderClient } from '../accounts/single-sign-on/index.ts'
import type { UserBook } from '../accounts/users/index.ts'
import type { OpenWays } from '../accounts/ways-in/index.ts'
import type { Config } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import type { MediaRoom } from '../calendar/media/index.ts'
import type { SeenFailure } from '../http/limits/failure-log.ts'
import type { CookieOptions } from '../http/request/session-cookie.ts'
import type { Site } from '../model/site.ts'
import type { BackupEntry, LastBackup } from '../ops/backup/index.ts'
import type { LongWork, LongWorkEntry } from '../storage/jobs/index.ts'
import type { Api } from './api.ts'
import type { FileImports } from './imports/types.ts'

/** Options that may be set while the server runs if they were left at their default, in the order of the settings page. */
export const SETTING_NAMES = [
  'siteName',
  'siteZone',
  'baseUrl',
  'language',
  'currencySymbol',
  'currencyPosition',
  'securityContact',
  'frontPage',
  'weekStart',
  'siteLogo',
  'accent',
  'accentDark',
  'mapTiles',
  'mapAttribution',
  'iframeHosts',
  'submissions',
  'perPageMax',
  'requireIfMatch',
  'corsOrigins',
  'limitReads',
  'limitCostlyReads',
  'limitWrites',
  'limitLogIns',
  'limitGuesses',
  'limitSubmissions',
  'logLevel',
] as const

/** The settings that limit clients, each with the least count that may be set here: nobody locks everybody out. */
export const LEAST_COUNTS = {
  limitReads: 600,
  limitCostlyReads: 60,
  limitWrites: 60,
  limitLogIns: 10,
  limitGuesses: 5,
  limitSubmissions: 1,
} as const satisfies Partial<Record<(typeof SETTING_NAMES)[number], number>>

/** Most seconds of a limit that is set here. */
export const LONGEST_LIMIT = 3600

/** What may be set while the server runs. */
export type SettingName = (typeof SETTING_NAMES)[number]

/** The settings as they are stored, as texts. */
export type StoredSettings = Readonly<Record<SettingName, string>>

/** The settings that are in force. */
export interface SiteSettings {
  readonly current: Pick<Config, SettingName>
  /** Whether a flag or an environment variable says it, so that nothing else can. */
  isFixed(name: SettingName): boolean
  /** Which of these texts are refused; '' means the default. */
  problemsOf(texts: Partial<Record<SettingName, string>>): SettingName[]
  /** What is stored now, by this process or another. */
  latest(): Promise<StoredSettings>
  /**
   * Stores settings of the user with an ID, which are in force at once here, and within a second in every other process. The
   * texts have no problems.
   */
  save(texts: Partial<Record<SettingName, string>>, actor: number): Promise<void>
}

/** The backups that the administration makes. */
export interface Backups {
  /** Where they are. */
  readonly folder: string
  /** How many of them stay. */
  readonly kept: number
  /** Newest first; `[]` for none. */
  list(): Promise<readonly BackupEntry[]>
  /** The last one, wherever the command or this page put it; undefined if unknown. */
  lastMade(): Promise<LastBackup | undefined>
  /** Starts one as long work of the kind `backup`; false while one is running, in this process or another. */
  start(by: LongWorkEntry['by']): Promise<boolean>
}

/** The stored report of a backup that the administration started. */
export interface MadeBackup {
  /** Of its folder. */
  readonly name: string
  /** Of all tables, files of images, and bytes of all files. */
  readonly rows: number
  readonly pictures: number
  readonly bytes: number
  /** How many files of images the calendar itself had lost. */
  readonly missing: number
  /** Whether the password key is part of it, or is set in the environment. */
  readonly hasKey: boolean
}

/** Dependencies of the pages of the administration. */
export interface AdminDeps extends UserBook {
  readonly site: Site
  readonly settings: SiteSettings
  readonly options: CookieOptions
  /** The API, called in this process with the rights of whoever asks. */
  readonly api: Api
  readonly config: Config
  readonly openWays: OpenWays
  /** The providers of single sign-on; `[]` for none. */
  readonly providers: readonly ProviderClient[]
  /** All namespaces of the API by name, as public pages list them. */
  readonly namespaces: readonly string[]
  readonly backups: Backups
  readonly fileImports: FileImports
  readonly mailer: Mailer
  readonly longWork: LongWork
  readonly media: Pick<MediaRoom, 'restore' | 'destroy'>
  /** The last sign-ins that failed in this process, newest first; `[]` for none. */
  failedLogIns(): readonly SeenFailure[]
  readonly log: Logger
}
