import type { OptionKind } from './kinds.ts'

/** One option of the server; all commands read the same ones. */
export interface Option<Value = unknown> {
  /** `--port`; undefined when a command line, which other users of the machine can read, is no place for the value. */
  readonly flag: string | undefined
  /** Environment variable; the flag wins over it, and empty means not set. */
  readonly env: string
  readonly kind: OptionKind<Value>
  readonly default: NoInfer<Value>
  /** How the default reads in help and reference when the value itself says too little. */
  readonly defaultText?: string
  /** True when the value, or a part of it, must not be shown anywhere. */
  readonly secret?: true
  readonly description: string
}

/** Declares an option with its type checked. */
export const option = <Value>(declared: Option<Value>): Option<Value> => declared

/** What was given for an option by its flag or in the environment, and by which of them; undefined when nothing was. */
export function givenValue(
  flag: string | undefined,
  declared: Option,
  env: Readonly<Record<string, string | undefined>>,
) {
  if (flag !== undefined) return { source: declared.flag ?? declared.env, text: flag }
  const text = env[declared.env]
  return text === undefined || text === '' ? undefined : { source: declared.env, text }
}

/** A value as the command line writes it; '' for an empty one. */
export function optionText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(',')
  if (typeof value === 'object' && value !== null && 'count' in value && 'seconds' in value)
    return value.count === 0 ? 'none' : `${String(value.count)}/${String(value.seconds)}`
  return String(value)
}

/** The value of an option for people to see: `***` for a secret that is set. */
export function maskValue(value: unknown, declared: Option): unknown {
  if (declared.secret === undefined || value === '') return value
  // A database file has no secret in its name, and its place is worth knowing.
  return String(value).startsWith('sqlite:') ? value : '***'
}
