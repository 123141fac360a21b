import type { Reader } from '../../storage/engine.ts'
import { canonicalPath, type RedirectRule } from './rules.ts'
import { redirectTarget } from './target.ts'

/** Most rules that lead from one to the next. */
export const MOST_HOPS = 10

/** Most other rules that are looked at for what a new one may meet. */
const MOST_MET = 200

/** Whether a new rule, which is stored already, leads in a circle, or over too many others. */
export async function isLoop(reader: Reader, rule: RedirectRule): Promise<boolean> {
  for (const address of await addressesFrom(reader, rule)) if (await leadsOn(reader, address)) return true
  return false
}

/** Whether the rules from an address on do not come to an end. */
async function leadsOn(reader: Reader, address: string): Promise<boolean> {
  let path = address
  for (let hop = 0; path.startsWith('/'); hop += 1) {
    if (hop === MOST_HOPS) return true
    const next = await redirectTarget(reader, path.replace(/#.*$/s, ''))
    if (next === undefined) return false
    path = next.target + next.query
  }
  return false
}

/**
 * The addresses that a rule may lead to and that other rules are for. The parameters of a request go along unless the rule
 * has some, and what follows a path does where both ends have a star: rules that are for one of these are met with it alone.
 */
async function addressesFrom(reader: Reader, { source, target }: RedirectRule): Promise<string[]> {
  const isOpen = target.endsWith('/*')
  const plain = isOpen ? `${target.slice(0, -1)}rest` : target
  if (!target.startsWith('/')) return [plain]
  const found = isOpen ? (await sourcesWith(reader, target.slice(0, -1))).map(withRest) : []
  if (source.includes('?') || target.includes('?')) return [plain, ...found]
  for (let hop = 0, path = plain; hop < MOST_HOPS && path.startsWith('/'); hop += 1) {
    const start = canonicalPath(path)
    const queries = (await sourcesWith(reader, `${start}?`)).map((one) => one.slice(start.length))
    found.push(...queries.map((query) => plain + query))
    const next = await redirectTarget(reader, path)
    if (next === undefined || next.target.includes('?')) break
    path = next.target
  }
  return [plain, ...found.slice(0, MOST_MET)]
}

function withRest(source: string): string {
  return source.endsWith('/*') ? `${source.slice(0, -1)}rest` : source
}

/** The sources of rules that start with a text whose last character is a slash or a question mark. */
async function sourcesWith(reader: Reader, start: string): Promise<string[]> {
  // Texts are compared byte by byte.
  const after = start.slice(0, -1) + String.fromCharCode(start.charCodeAt(start.length - 1) + 1)
  const query = reader.db
    .selectFrom('redirect')
    .select('source')
    .where('source', '>', start)
    .where('source', '<', after)
  return (await reader.all(query.orderBy('source').limit(MOST_MET))).map((row) => row.source)
}
