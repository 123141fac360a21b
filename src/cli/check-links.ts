import { fail } from '../base/errors.ts'
import { isHttpUrl } from '../base/text/http-url.ts'
import { type CommandGroup, declare, type Invocation } from './command.ts'
import { addressesIn } from './links/addresses.ts'
import { type CheckedLink, checkLinks } from './links/check.ts'
import { progressOn } from './output.ts'

/** What `check-links` has found. */
interface LinksReport {
  readonly checked: number
  readonly ok: number
  readonly moved: number
  /** Those that lead to other sites, which were not asked. */
  readonly elsewhere: readonly CheckedLink[]
  readonly broken: readonly CheckedLink[]
}

/** `kalends check-links`: whether every address of a former site leads somewhere. */
export function declareCheckLinks(shell: CommandGroup): void {
  const declared = {
    usage: 'check-links <source>',
    summary: 'request every URL of a sitemap or list (file or URL), and list those that the server does not know',
    optional: {
      '--base <URL>': 'origin of the server (default: this calendar)',
      '--concurrency <N>': 'requests at a time, 1 to 32 (default 8)',
    },
  }
  declare(shell, declared, async (called) => {
    const { base, own } = originsOf(called)
    const addresses = await addressesIn(called.argument(0))
    const onProgress = progressOn(called.world.stderr, called.world.now)
    const links = await checkLinks(addresses, { base, own, concurrency: concurrencyOf(called), onProgress })
    const of = (outcome: CheckedLink['outcome']) => links.filter((one) => one.outcome === outcome)
    const [broken, elsewhere] = [of('broken'), of('elsewhere')]
    const report = { checked: links.length, ok: of('ok').length, moved: of('moved').length, elsewhere, broken }
    called.exitWith(broken.length > 0 || links.length === 0 ? 1 : 0)
    called.show(report, describe)
  })
}

/** The server that is asked, and the origins under which it names itself. */
function originsOf({ config, option }: Invocation): { readonly base: string; readonly own: readonly string[] } {
  const { host, port, baseUrl } = config
  const own = baseUrl === '' ? [] : [new URL(baseUrl).origin]
  const given = option('base')
  if (given !== undefined && !isHttpUrl(given)) throw fail('wrong_usage', { reason: '--base must be an http(s) URL' })
  const local = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const base = new URL(given ?? local).origin
  return { base, own: [base, ...own] }
}

/** @throws wrong_usage */
function concurrencyOf({ option }: Invocation): number {
  const text = option('concurrency') ?? '8'
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > 32) throw fail('wrong_usage', { reason: '--concurrency must be a number from 1 to 32' })
  return count
}

function describe({ checked, ok, moved, elsewhere, broken }: LinksReport): string {
  const line = ({ address, status, location }: CheckedLink): string =>
    `${status}  ${address}${location === undefined ? '' : ` -> ${location}`}\n`
  const counts = `${checked} URLs: ${ok} found, ${moved} moved, ${elsewhere.length} on other sites, ${broken.length} broken.\n`
  return broken.map(line).join('') + elsewhere.map(line).join('') + counts
}
