import { createHash } from 'node:crypto'
import {
  LEAST_COUNTS,
  LONGEST_LIMIT,
  SETTING_NAMES,
  type SettingName,
  type SiteSettings,
  type StoredSettings,
} from '../admin/parts.ts'
import { rate } from '../config/kinds.ts'
import { optionText } from '../config/option.ts'
import { type Config, OPTIONS } from '../config.ts'
import { fail } from '../errors.ts'
import { record } from '../journal/append.ts'
import { subscribe } from '../journal/subscribe.ts'
import type { Logger } from '../log.ts'
import type { Site } from '../model/site.ts'
import type { Reader, Storage, Transaction } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'

type Values = Pick<Config, SettingName>

/** Settings as the program uses them; whoever derives something from them is notified of changes. */
export interface LiveSettings extends SiteSettings {
  onChange(listener: () => void): void
}

/** The settings in force: as configured, or else as stored, by this process or another. */
export async function openSettings(storage: Storage, config: Config, now: () => number): Promise<LiveSettings> {
  const isFixed = (name: SettingName): boolean => config[name] !== OPTIONS[name].default
  const listeners: (() => void)[] = []
  let current = read(config, isFixed, await stored(storage))
  subscribe(storage, (entries) => {
    const change = entries.findLast(({ resource }) => resource === 'site')
    if (change === undefined) return
    current = read(config, isFixed, (change.snapshot ?? {}) as Record<string, string>)
    for (const listener of listeners) listener()
  })
  return {
    get current() {
      return current
    },
    isFixed,
    problemsOf: (texts) => problemsOf(texts),
    latest: async () => versionOf(read(config, isFixed, await stored(storage))),
    save: async (texts, { actor, mark }) => {
      const sent = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, tidy(name, text)]))
      await storage.write(async (tx) => {
        if (mark !== undefined && versionOf(read(config, isFixed, await stored(tx))).mark !== mark)
          throw fail('precondition_failed')
        await keep(tx, sent, { actor, at: utcFromMillis(now()) })
      })
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

/** The configuration, of which those options are read from the settings each time that may change while the server runs. */
export function liveConfig(config: Config, settings: Pick<SiteSettings, 'current'>): Config {
  const members = SETTING_NAMES.map((name) => [name, { enumerable: true, get: () => settings.current[name] }] as const)
  return Object.freeze(Object.defineProperties({ ...config }, Object.fromEntries(members)))
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

/** The site with its changeable members read from the settings; every member is named here, so none is left behind. */
export function liveSite(site: Site, settings: SiteSettings): Required<Site> {
  const { host } = site
  return {
    host,
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
    get theme() {
      const { siteLogo: logo, accent, accentDark } = settings.current
      return { logo, accent, accentDark }
    },
  }
}

async function stored(reader: Reader): Promise<Readonly<Record<string, string>>> {
  const rows = await reader.all(reader.db.selectFrom('meta').selectAll().where('key', 'like', 'setting.%'))
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice('setting.'.length), value]))
}

function read(
  config: Config,
  isFixed: (name: SettingName) => boolean,
  texts: Readonly<Record<string, string>>,
): Values {
  const values = SETTING_NAMES.map((name) => {
    const text = texts[name]
    const parsed = isFixed(name) || text === undefined ? undefined : OPTIONS[name].kind.parse(text)
    return [name, parsed?.ok === true ? parsed.value : config[name]]
  })
  return Object.fromEntries(values) as Values
}

function versionOf(settings: Values): StoredSettings {
  const texts = SETTING_NAMES.map((name) => [name, optionText(settings[name])] as const)
  const mark = createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 16)
  return { values: Object.fromEntries(texts) as StoredSettings['values'], mark }
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
  texts: Readonly<Record<string, string>>,
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
  const query = tx.db.selectFrom('journal').select('revision').where('resource', '=', 'site').where('id', '=', 1)
  const last = await tx.first(query.orderBy('revision', 'desc').limit(1))
  const revision = (last?.revision ?? 0) + 1
  const snapshot = await stored(tx)
  record(tx, { actor, resource: 'site', id: 1, revision, action: revision === 1 ? 'create' : 'update', at, snapshot })
}
