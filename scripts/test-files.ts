// Which test files `npm test` runs, with which database, and in what order: what the files say at their top, and how long
// they take.

import { createHash } from 'node:crypto'

// What a test that runs on any engine gets its database from.
const USES_ANY_ENGINE = /\bENGINES\b|\bTEST_ENGINE\b|support\/(app|server|linked-server)\.ts'/
// What a test says at its top when the engine cannot change its outcome; a file that says nothing runs on both. Such files
// are repeated only by an --all that names no engine, or PostgreSQL.
const ONE_ENGINE = /^\/\/ One engine: /m
// The same where no database takes part in what is tested, or a browser takes minutes: not repeated with --all either.
const SQLITE_ALONE = /^\/\/ SQLite alone: /m
// What takes long and breaks seldom: not at all without --all, unless it is named.
const ONLY_WITH_ALL = /^\/\/ Only with --all: /m
// Files that start programs, change the process they run in, or must not share it.
const OWN_PROCESS =
  /child_process|worker_threads|node:cluster|support\/(browser|server|processes|cluster|replica|nginx|postgres|host-node|cli\b)|KALENDS_|process\.(env|on|argv|chdir|exit|kill|umask)|\bmock\.|TEST_POSTGRES|setFlagsFromString/
// What asks of the database what shorter tests ask of both, by how their paths begin: once with SQLite is enough for a run
// by hand.
const ONCE = [
  'src/exchange/',
  'src/exchange/sources/sources.',
  'src/pages/',
  'src/changes/webhooks/sender.',
  'src/changes/webhooks/store-extensions.',
  'src/changes/webhooks/webhooks.',
  'test/admin',
  'test/attendance.',
  'test/cached-lists.',
  'test/changes-stream.',
  'test/content-language.',
  'test/declared-fields.',
  'test/event-password-form.',
  'test/formats',
  'test/former-addresses.',
  'test/imports-taken-venues.',
  'test/jscalendar-series.',
  'test/media.',
  'test/operate-doc.',
  'test/read-limits.',
  'test/response-cache.',
  'test/round-trip',
  'test/series-law.',
  'test/series-moved.',
  'test/series-named.',
  'test/series-slugs.',
  'test/sessions.',
  'test/submissions.',
  'test/webhook-command.',
]
// What takes longest begins first, so that no core waits for it in the end: by CPU time, or because it waits for something.
// Files that share a process come before all but the first.
const SLOW = [
  'test/backup.test.ts',
  'test/workers.test.ts',
  'test/generated-clients.test.ts',
  'test/page-layout-browser.test.ts',
  'test/admin-forms-browser.test.ts',
  'test/admin-looks-browser.test.ts',
  'test/reference-browser.test.ts',
  'test/data-files.test.ts',
  'test/pages-browser.test.ts',
  'test/hostile-browser.test.ts',
  'test/admin-rich-text-browser.test.ts',
  'src/cli/cli.test.ts',
  'test/recipe.test.ts',
  'test/export.test.ts',
  'test/move.test.ts',
  'test/follow.test.ts',
  'test/map-browser.test.ts',
  'test/admin-browser.test.ts',
  'test/icalendar-engines.test.ts',
  'test/doctor.test.ts',
  'test/audit.test.ts',
  'test/write-once.test.ts',
  'test/series-law.test.ts',
  'test/sources-processes.test.ts',
  'test/generated.test.ts',
  'test/changes-follower.test.ts',
  'test/limits-workers.test.ts',
  'src/exchange/imports/json/cli.test.ts',
  'test/redirects.test.ts',
  'test/webhooks-kill.test.ts',
  'test/session-theft-browser.test.ts',
  'test/event-passwords.test.ts',
  'test/read-limits.test.ts',
  'src/storage/engines/postgres/replica.test.ts',
  'test/fresh-clone.test.ts',
  'test/metrics-server.test.ts',
  'test/visitor-browser.test.ts',
  'test/admin-sources-browser.test.ts',
  'test/crash.test.ts',
  'test/processes.test.ts',
  'test/admin-repeat-law.test.ts',
  'test/cache-law.test.ts',
  'test/database-away.test.ts',
  'src/http/request/intake.test.ts',
]

/** What is asked of a run. */
export interface Asked {
  /** Everything, with each engine. */
  readonly isAll: boolean
  /** The files, or their folders, were named. */
  readonly isNamed: boolean
  /** One engine alone. */
  readonly engine?: string | undefined
}

/** What a run does with test files, as paths; each list is empty where there is nothing. */
export interface Selection {
  /** They run with SQLite. */
  readonly chosen: readonly string[]
  /** PostgreSQL repeats them. */
  readonly again: readonly string[]
  /** They run with SQLite alone in this run, although --all repeats them. */
  readonly once: readonly string[]
  /** They do not run at all without --all. */
  readonly left: readonly string[]
}

/** What is run of test files, given as texts by their paths. */
export function selectionOf(texts: ReadonlyMap<string, string>, { isAll, isNamed, engine }: Asked): Selection {
  const says = (path: string, pattern: RegExp): boolean => pattern.test(texts.get(path) ?? '')
  const files = [...texts.keys()]
  const left = isAll || isNamed ? [] : files.filter((path) => says(path, ONLY_WITH_ALL))
  const chosen = files.filter((path) => !left.includes(path))
  const repeatable = chosen.filter((path) => says(path, USES_ANY_ENGINE) && !says(path, SQLITE_ALONE))
  const isOnce = (path: string): boolean =>
    says(path, ONE_ENGINE) || (!isNamed && engine !== 'postgres' && ONCE.some((begin) => path.startsWith(begin)))
  const isRepeated = (path: string): boolean => (isAll ? engine !== 'both' || !says(path, ONE_ENGINE) : !isOnce(path))
  const again = repeatable.filter(isRepeated)
  return { chosen, again, once: repeatable.filter((path) => !again.includes(path)), left }
}

/**
 * Files in the order of a run that may not have time for all: those of every run, then a half of the others, which the seed
 * draws, then the other half.
 */
export function stagesOf(
  paths: readonly string[],
  { first, seed }: { readonly first: readonly string[]; readonly seed: string },
): readonly (readonly string[])[] {
  const others = paths.filter((path) => !first.includes(path))
  const isDrawn = (path: string): boolean => createHash('sha256').update(`${seed} ${path}`).digest().readUInt8() < 128
  const isFirst = (path: string): boolean => first.includes(path)
  return [paths.filter(isFirst), others.filter(isDrawn), others.filter((path) => !isDrawn(path))]
}

/** Whether a test file needs a process of its own, by its text. */
export function isAlone(text: string): boolean {
  return OWN_PROCESS.test(text)
}

/** When the files of a process begin, as a number: the slowest of all, then what is many files, then by their length. */
export function placeOf({ paths }: { readonly paths: readonly string[] }): number {
  if (paths.length > 1) return 0.5
  const place = SLOW.indexOf(paths[0] ?? '')
  return place === -1 ? SLOW.length : place
}
