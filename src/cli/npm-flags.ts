import { OPTION_LIST } from '../base/config.ts'
import { fail } from '../base/errors.ts'

/**
 * `npm start --port 8080` gives the flag to npm and not to the program: npm sets `npm_config_port`, and passes on what
 * it does not take as the value of the flag.
 * @throws wrong_usage with the intended command line, when that has happened
 */
export function refuseFlagsOfNpm(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]): void {
  if (env['npm_lifecycle_event'] !== 'start' || argv[2] !== 'serve') return
  const passed = argv.slice(3)
  const taken = OPTION_LIST.flatMap(([, { flag, kind, secret }]) => {
    const value = flag === undefined ? undefined : env[`npm_config_${flag.slice(2).replaceAll('-', '_')}`]
    return flag === undefined || value === undefined ? [] : [{ flag, value, kind, secret }]
  })
  if (taken.length === 0) return
  const meant = taken.map(({ flag, value, kind, secret }) => {
    // A value after a flag without `=` has become an argument: only a single one can be meant.
    const fitting = value === 'true' ? passed.filter((word) => kind.parse(word).ok) : [value]
    const [given] = fitting.length === 1 && secret === undefined ? fitting : []
    return `${flag} ${given === undefined ? kind.hint : quoted(given)}`
  })
  const flags = taken.map(({ flag }) => flag).join(' and ')
  throw fail('wrong_usage', {
    reason: `npm has kept ${flags} for itself. Options of the server go behind two dashes: npm start -- ${meant.join(' ')}`,
  })
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
