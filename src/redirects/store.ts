import { fail } from '../errors.ts'
import type { Reader, Storage, Transaction } from '../storage/engine.ts'
import { inList } from '../storage/statement-template.ts'
import { utcFromMillis } from '../time/zones.ts'
import { canonicalPath, type RedirectRule, readSource, readTarget, sourcesOf, targetFrom } from './rules.ts'

/** Most rules of a site. */
const MOST_RULES = 50_000

/** Most rules that lead from one to the next. */
const MOST_HOPS = 10

/** What rules are kept in. */
export interface RedirectPlace {
  readonly storage: Storage
  /** Unix milliseconds. */
  now(): number
}

/** The most particular rule for a canonical path; undefined when there is none. */
async function ruleFor(reader: Reader, path: string): Promise<RedirectRule | undefined> {
  const sources = sourcesOf(path)
  const query = reader.db
    .selectFrom('redirect')
    .select(['source', 'target'])
    .where(inList(reader.engine, 'redirect.source', sources))
  const rules = await reader.all(query)
  return rules.sort((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source))[0]
}

/** Where a path leads that names nothing; undefined when no rule is for it. */
export async function redirectTarget(reader: Reader, path: string): Promise<string | undefined> {
  const canonical = canonicalPath(path)
  const rule = await ruleFor(reader, canonical)
  return rule && targetFrom(rule, canonical)
}

/** Adds a rule, or gives the one with the same source another target. @throws redirect_not_usable */
export async function addRedirect(
  { storage, now }: RedirectPlace,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<RedirectRule> {
  const reading = readSource(from)
  if ('problem' in reading) throw fail('redirect_not_usable', { reason: reading.problem })
  const { source } = reading
  const read = readTarget(to, source)
  if ('problem' in read) throw fail('redirect_not_usable', { reason: read.problem })
  const row = { source, target: read.target, created_at: utcFromMillis(now()) }
  await storage.write(async (tx) => {
    await tx.run(tx.db.deleteFrom('redirect').where('source', '=', source))
    const { rules } = (await tx.first(
      tx.db.selectFrom('redirect').select((one) => one.fn.countAll<number>().as('rules')),
    )) ?? { rules: 0 }
    if (Number(rules) >= MOST_RULES) throw fail('redirect_not_usable', { reason: `there are ${MOST_RULES} already` })
    await tx.run(tx.db.insertInto('redirect').values(row))
    await refuseLoop(tx, row)
  })
  return { source, target: row.target }
}

/** Follows the rules from the target of a new one, which is stored already. @throws redirect_not_usable */
async function refuseLoop(tx: Transaction, { source, target }: RedirectRule): Promise<void> {
  let path = target.endsWith('/*') ? `${target.slice(0, -1)}rest` : target
  for (let hop = 0; path.startsWith('/'); hop += 1) {
    if (hop === MOST_HOPS)
      throw fail('redirect_not_usable', {
        reason: `${source} would lead in a circle, or over more than ${MOST_HOPS} others`,
      })
    const next = await redirectTarget(tx, path.replace(/[?#].*$/s, ''))
    if (next === undefined) return
    path = next
  }
}

/** All rules, by source. */
export function listRedirects({ storage }: Pick<RedirectPlace, 'storage'>): Promise<RedirectRule[]> {
  return storage.all(storage.db.selectFrom('redirect').select(['source', 'target']).orderBy('source'))
}

/** Removes a rule. @throws no_such_redirect */
export async function removeRedirect(
  { storage }: Pick<RedirectPlace, 'storage'>,
  { from }: { readonly from: string },
): Promise<RedirectRule> {
  const reading = readSource(from)
  const source = 'source' in reading ? reading.source : from
  return storage.write(async (tx) => {
    const rule = await tx.first(tx.db.selectFrom('redirect').select(['source', 'target']).where('source', '=', source))
    if (rule === undefined) throw fail('no_such_redirect', { source: from })
    await tx.run(tx.db.deleteFrom('redirect').where('source', '=', source))
    return rule
  })
}
