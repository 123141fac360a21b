import {
  LEAST_COUNTS,
  LONGEST_LIMIT,
  SETTING_NAMES,
  type SettingName,
  type SiteSettings,
  type StoredSettings,
} from '../admin/deps.ts'
import { rate } from '../base/config/kinds.ts'
import { optionText } from '../base/config/option.ts'
import { type Config, OPTIONS } from '../base/config.ts'
import type { Logger } from '../base/log.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { Site } from '../model/site.ts'
import type { Reader, Storage, Transaction } from '../storage/engine.ts'
import { record } from '../storage/journal/append.ts'
import { subscribe } from '../storage/journal/subscribe.ts'
import { SITE_HOST, takeHostOf } from './site.ts'

type Values = Pick<Config, SettingName>

/** Name of the host of global identifiers among the settings; it is none that can be set. */
const HOST_TEXT = 'host'

/** Settings by name, as they are stored. */
type Texts = Readonly<Record<string, string>>

/** Settings that follow what this process stores, and what it is notified of. */
interface FollowedSettings {
  readonly current: Values
  /** The host of global identifiers as it is stored. */
  readonly storedHost: string
  /** Whoever derives something from them is notified of changes. */
  onChange(listener: () => void): void
}

/** Settings as the program uses them. */
export interface LiveSettings extends SiteSettings, Pick<FollowedSettings, 'onChange' | 'storedHost'> {}

/** The settings in force: as configured, or else as stored, by this process or another. */
export async function openSettings(storage: Storage, config: Config, now: () => number): Promise<LiveSettings> {
  const isFixed = (name: SettingName): boolean => config.given.has(name)
  const followed = await followStored(storage, (texts) => read(config, isFixed, texts))
  return {
    get current() {
      return followed.current
    },
    get storedHost() {
      return followed.storedHost
    },
    isFixed,
    problemsOf: (texts) => problemsOf(texts),
    latest: async () => textsOf(read(config, isFixed, await stored(storage))),
    save: async (texts, actor) => {
      const sent = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, tidy(name, text)]))
      await storage.write((tx) => keep(tx, sent, { actor, at: utcFromMillis(now()) }))
    },
    onChange: followed.onChange,
  }
}

async function followStored(storage: Storage, valuesOf: (texts: Texts) => Values): Promise<FollowedSettings> {
  const listeners: (() => void)[] = []
  let texts = await stored(storage)
  let current = valuesOf(texts)
  /** Number of the newest change that this process was notified of; 0 before the first. */
  let told = 0
  const take = (latest: Texts): void => {
    texts = latest
    current = valuesOf(latest)
    for (const listener of listeners) listener()
  }
  subscribe(storage, (entries) => {
    const change = entries.findLast(({ resource }) => resource === 'site')
    // It may hear of a change of another process after a later one of its own.
    if (change === undefined || change.seq < told) return
    told = change.seq
    take((change.snapshot ?? {}) as Texts)
  })
  return {
    get current() {
      return current
    },
    get storedHost() {
      return texts[HOST_TEXT] ?? ''
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

/** An object with all that may change while the server runs as members, which are read from the settings each time. */
export function withSettings<Fixed extends object>(
  fixed: Fixed,
  settings: Pick<SiteSettings, 'current'>,
): Omit<Fixed, SettingName> & Values {
  const members = SETTING_NAMES.map((name) => [name, { enumerable: true, get: () => settings.current[name] }] as const)
  return Object.freeze(Object.defineProperties({ ...fixed }, Object.fromEntries(members))) as Omit<Fixed, SettingName> &
    Values
}

/** Has a log, which was made for a level, follow that of the settings. */
export function followLevel(log: Logger, made: Config['logLevel'], settings: LiveSettings): void {
  let level = made
  const follow = (): void => {
    const { logLevel } = settings.current
    if (logLevel !== level) log.level = logLevel
    level = logLevel
  }
  follow()
  settings.onChange(follow)
}

/** The site that a calendar belongs to, with its members read from the settings each time. */
export function liveSite({ siteHost }: Pick<Config, 'siteHost'>, settings: LiveSettings): Required<Site> {
  return {
    get host() {
      return siteHost || settings.storedHost
    },
    get perPageMax() {
      return settings.current.perPageMax
    },
    get takesSubmissions() {
      return settings.current.submissions
    },
    get map() {
      const { mapTiles: tiles, mapAttribution: attribution } = settings.current
      return { tiles, attribution }
    },
    get name() {
      return settings.current.siteName
    },
    get zone() {
      return settings.current.siteZone
    },
    get currencySymbol() {
      return settings.current.currencySymbol
    },
    get currencyPosition() {
      return settings.current.currencyPosition
    },
    get frontPage() {
      return settings.current.frontPage
    },
    get weekStart() {
      return settings.current.weekStart
    },
    get theme() {
      const { siteLogo: logo, accent, accentDark } = settings.current
      return { logo, accent, accentDark }
    },
  }
}

/** The settings as they are stored, and the host of global identifiers under a name of its own. */
async function stored(reader: Reader): Promise<Texts> {
  const all = reader.db.selectFrom('meta').selectAll()
  const rows = await reader.all(
    all.where((row) => row.or([row('key', 'like', 'setting.%'), row('key', '=', SITE_HOST)])),
  )
  return Object.fromEntries(
    rows.map(({ key, value }) => [key === SITE_HOST ? HOST_TEXT : key.slice('setting.'.length), value]),
  )
}

function read(config: Config, isFixed: (name: SettingName) => boolean, texts: Texts): Values {
  const values = SETTING_NAMES.map((name) => {
    const text = texts[name]
    const parsed = isFixed(name) || text === undefined ? undefined : OPTIONS[name].kind.parse(text)
    return [name, parsed?.ok === true ? parsed.value : config[name]]
  })
  return Object.fromEntries(values) as Values
}

function textsOf(settings: Values): StoredSettings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, optionText(settings[name])])) as StoredSettings
}

function problemsOf(texts: Partial<Record<SettingName, string>>): SettingName[] {
  return SETTING_NAMES.filter((name) => {
    const text = texts[name]
    if (text === undefined) return false
    // What may be left empty has its default.
    if (text === '') return name === 'siteName'
    return !OPTIONS[name].kind.parse(tidy(name, text)).ok || isTooTight(name, tidy(name, text))
  })
}

/** Whether a limit would lock out those who could take it back. */
function isTooTight(name: SettingName, text: string): boolean {
  const least = Object.entries(LEAST_COUNTS).find(([limit]) => limit === name)?.[1]
  const parsed = rate.parse(text)
  if (least === undefined || !parsed.ok || parsed.value.count === 0) return false
  return parsed.value.count < least || parsed.value.seconds > LONGEST_LIMIT
}

function tidy(name: string, text: string): string {
  return name === 'baseUrl' ? text.trim().replace(/\/+$/, '') : text.trim()
}

/** Stores what was sent and writes the result to the journal; '' removes a stored setting. */
async function keep(
  tx: Transaction,
  texts: Texts,
  { actor, at }: { readonly actor: number; readonly at: string },
): Promise<void> {
  for (const [name, value] of Object.entries(texts)) {
    const key = `setting.${name}`
    if (value === '') await tx.run(tx.db.deleteFrom('meta').where('key', '=', key))
    else {
      const entry = tx.db.insertInto('meta').values({ key, value })
      await tx.run(entry.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })))
    }
  }
  if (texts['baseUrl'] !== undefined) await takeHostOf(tx, texts['baseUrl'])
  const query = tx.db.selectFrom('journal').select('revision').where('resource', '=', 'site').where('id', '=', 1)
  const last = await tx.first(query.orderBy('revision', 'desc').limit(1))
  const revision = (last?.revision ?? 0) + 1
  const snapshot = await stored(tx)
  record(tx, { actor, resource: 'site', id: 1, revision, action: revision === 1 ? 'create' : 'update', at, snapshot })
}
