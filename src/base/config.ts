import { join, resolve } from 'node:path'
import { BOUND_OPTIONS } from './config/bounds.ts'
import { DATABASE_OPTIONS } from './config/database.ts'
import { LIMIT_OPTIONS } from './config/limits.ts'
import { MAIL_OPTIONS } from './config/mail.ts'
import { MEDIA_OPTIONS } from './config/media.ts'
import { givenValue, maskValue, type Option } from './config/option.ts'
import { SERVER_OPTIONS } from './config/server.ts'
import { SIGN_IN_OPTIONS } from './config/sign-in.ts'
import { SITE_OPTIONS } from './config/site.ts'
import { fail } from './errors.ts'

/** Every option once: the source of `Config`, of each command's help and of `docs/reference/config.md`. */
export const OPTIONS = {
  ...SERVER_OPTIONS,
  ...DATABASE_OPTIONS,
  ...SITE_OPTIONS,
  ...MEDIA_OPTIONS,
  ...MAIL_OPTIONS,
  ...BOUND_OPTIONS,
  ...LIMIT_OPTIONS,
  ...SIGN_IN_OPTIONS,
} as const

/** Name of an option; a key of `OPTIONS`. */
export type OptionName = keyof typeof OPTIONS

/**
 * All settings, frozen. `data` and `media` are absolute paths, `database` is never empty, `baseUrl` has no slash at its end;
 * `''` in `baseUrl`, `siteHost` and `secret` means that the default named in the reference applies.
 */
export type Config = {
  readonly [Name in OptionName]: (typeof OPTIONS)[Name] extends Option<infer Value> ? Value : never
} & {
  /** The options that a flag or variable set, even to their default; empty for none. */
  readonly given: ReadonlySet<OptionName>
}

/** Values of command-line flags as text, by option name; undefined when the flag was not given. */
export type Flags = { readonly [Name in OptionName]?: string | undefined }

/** All options with their names, in the order of help and reference. */
export const OPTION_LIST = Object.entries(OPTIONS) as readonly [OptionName, Option][]

/**
 * Reads the settings from flags and environment.
 * @throws bad_configuration with all problems at once, also in `data.problems`; values of secret options are never quoted
 */
export function readConfig(flags: Flags, env: Readonly<Record<string, string | undefined>>): Config {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  const given = new Set<OptionName>()
  for (const [name, declared] of OPTION_LIST) {
    const value = givenValue(flags[name], declared, env)
    const parsed = value === undefined ? undefined : declared.kind.parse(value.text)
    if (value !== undefined) given.add(name)
    if (value !== undefined && parsed?.ok === false) problems.push(`${value.source} ${parsed.problem}`)
    values[name] = parsed?.ok === true ? parsed.value : declared.default
  }
  const config = { ...values, given } as unknown as Config
  if (problems.length > 0) throw fail('bad_configuration', { problems: problems.join('; ') }, { problems })
  const data = resolve(config.data)
  const media = config.media === '' ? join(data, 'media') : resolve(config.media)
  const database = config.database === '' ? `sqlite:${join(data, 'kalends.db')}` : config.database
  return Object.freeze({ ...config, data, media, database, baseUrl: config.baseUrl.replace(/\/+$/, '') })
}

/** The settings for a log line or a page: like `config`, with `***` for every secret that is set. */
export function maskSecrets(config: Config): Record<OptionName, unknown> {
  const entries = OPTION_LIST.map(([name, declared]) => [name, maskValue(config[name], declared)])
  return Object.fromEntries(entries) as Record<OptionName, unknown>
}
