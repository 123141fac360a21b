import { fail } from '../base/errors.ts'
import { type Credentials, openAddress } from '../base/outgoing/credentials.ts'
import type { Invocation } from './command.ts'
import type { SiteImportInput, SiteReport } from './types.ts'

/** Variable with the application password at the site that is imported. */
const PASSWORD = 'KALENDS_IMPORT_PASSWORD'

/** Options of `kalends import` that are about sites. */
export const SITE_OPTIONS: Readonly<Record<string, string>> = {
  '--user <NAME>': `username on the site; its application password is in ${PASSWORD} or entered in the terminal`,
  '--api <URL>':
    'URL of the API of the site, if its pages name none or one on another site; username and password go there',
  '--rate <NUMBER>': 'maximum requests a second to the site; 0 for no limit (default 10)',
  '--concurrency <NUMBER>': 'maximum simultaneous requests to the site (default 4)',
  '--vanished <keep|trash>': 'what to do with items that have disappeared from the site (default keep)',
  '--dry-run': 'only report what would be imported',
}

/** Imports a site when the one argument is its address; whether it was. */
export async function importSite(called: Invocation): Promise<boolean> {
  const [address = '', ...others] = called.arguments(0)
  if (!isSite(address)) return false
  if (others.length > 0) throw fail('wrong_usage', { reason: 'import one site at a time' })
  const input = await inputOf(called, address)
  const report = await called.operate('importSite', input)
  called.show(report, describe)
  if (!report.complete) called.exitWith(1)
  return true
}

/** An address that is no file of a calendar. */
function isSite(address: string): boolean {
  return (
    /^https?:\/\//i.test(address) &&
    !/\.(?:(?:ics|ical|csv)(?:\.gz)?|zip|json)$/i.test(URL.parse(address)?.pathname ?? '')
  )
}

async function inputOf(called: Invocation, entered: string): Promise<SiteImportInput> {
  const { config } = called
  const { address, credentials: inAddress } = openAddress(entered)
  const named = called.option('api')
  const api = named === undefined ? undefined : openAddress(named)
  const vanished = called.option('vanished') ?? 'keep'
  if (vanished !== 'keep' && vanished !== 'trash')
    throw fail('wrong_usage', { reason: '--vanished must be keep or trash' })
  return {
    address,
    api: api?.address,
    ...(await credentialsOf(called, api?.credentials ?? inAddress)),
    author: called.option('author'),
    rate: numberOf(called, 'rate', { fallback: 10, least: 0, most: 1000 }),
    concurrency: numberOf(called, 'concurrency', { fallback: 4, least: 1, most: 32 }),
    vanished,
    dryRun: called.option('dryRun') !== undefined,
    allow: config.fetchAllow,
  }
}

/** Name and password, from the options or else from an address. @throws wrong_usage */
async function credentialsOf(
  { world, option }: Invocation,
  inAddress: Credentials | undefined,
): Promise<Partial<Credentials>> {
  const user = option('user') ?? inAddress?.user
  if (user === undefined) return {}
  const entered = option('user') === undefined ? inAddress?.password : undefined
  const password = entered || (world.env[PASSWORD] ?? (await world.askSecret?.(`Application password of ${user}: `)))
  if (!password) throw fail('wrong_usage', { reason: `set ${PASSWORD} to the password of ${user}` })
  return { user, password }
}

interface Range {
  readonly fallback: number
  readonly least: number
  readonly most: number
}

function numberOf(called: Invocation, name: string, { fallback, least, most }: Range): number {
  const text = called.option(name)
  if (text === undefined) return fallback
  const number = Number(text)
  if (text.trim() !== '' && number >= least && number <= most && (least === 0 || Number.isInteger(number)))
    return number
  throw fail('wrong_usage', { reason: `--${name} must be a number from ${least} to ${most}` })
}

function describe(report: SiteReport): string {
  const { counts, pictures, shown, redirects, users, vanished, skipped, notes, requests } = report
  const lines = Object.entries(counts).map(
    ([kind, { found, created, updated, unchanged }]) =>
      `${kind}: ${found} found, ${created} created, ${updated} updated, ${unchanged} unchanged`,
  )
  const { found, fetched, shared, known } = pictures
  lines.push(`image: ${found} found, ${fetched} fetched, ${shared} duplicates, ${known} known`)
  if (shown.found > 0)
    lines.push(
      `image in a description: ${shown.found} found, ${shown.fetched} fetched, ${shown.shared} duplicates, ${shown.known} known`,
    )
  if (redirects > 0) lines.push(`redirect: ${redirects} added, from old paths of images`)
  lines.push(`user: ${users.found} found, ${users.created} created and disabled`)
  if (vanished.length > 0)
    lines.push(`${vanished.length} disappeared from the site: ${vanished.slice(0, 20).join(', ')}`)
  lines.push(`${requests} requests to ${report.api}${report.dryRun ? '; nothing was changed' : ''}`)
  lines.push(report.complete ? 'complete' : 'NOT COMPLETE: run the import again to get the rest')
  lines.push(`${skipped.length} skipped`)
  return [...lines, ...[...skipped, ...notes].map(({ what, why }) => `  ${what}: ${why}`)]
    .map((line) => `${line}\n`)
    .join('')
}
