import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { inList } from '../../storage/statement-template.ts'
import { MEDIA_PATH } from '../shared/stored-image.ts'
import { isLoop, MOST_HOPS } from './loops.ts'
import { type RedirectRule, readSource, readTarget } from './rules.ts'

/** Most rules of a site. */
const MOST_RULES = 50_000

/** Rules up to which those for images are added: the others are for whoever runs the site. */
const MOST_BESIDE_IMAGES = 45_000

/** What rules are kept in. */
export interface RedirectPlace {
  readonly storage: Storage
  /** Unix milliseconds. */
  now(): number
}

/** The old paths of rules that lead to files of images, by file: the first where several lead to one. */
export async function redirectsToImages(
  reader: Reader,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) return new Map()
  const targets = files.map((file) => `${MEDIA_PATH}${file}`)
  const query = reader.db
    .selectFrom('redirect')
    .select(['source', 'target'])
    .where(inList(reader.engine, 'redirect.target', targets))
  const rules = await reader.all(query.orderBy('source', 'desc'), 'offloaded')
  return new Map(rules.map(({ source, target }) => [target.slice(MEDIA_PATH.length), source]))
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
    if ((await countRules(tx)) >= MOST_RULES)
      throw fail('redirect_not_usable', { reason: `there are ${MOST_RULES} already` })
    await tx.run(tx.db.insertInto('redirect').values(row))
    if (await isLoop(tx, row))
      throw fail('redirect_not_usable', {
        reason: `${source} would lead in a circle, or over more than ${MOST_HOPS} others`,
      })
  })
  return { source, target: row.target }
}

/** Rules that one transaction adds. */
const BATCH = 200

/**
 * Adds rules that lead to files of images. An existing rule stays, unless it led to an image that is gone: how many
 * were added or given another target, and why others were not, once for each reason.
 */
export async function addImageRedirects(
  { storage, now }: RedirectPlace,
  rules: readonly { readonly from: string; readonly to: string }[],
): Promise<{ readonly added: number; readonly problems: readonly string[] }> {
  const problems = new Set<string>()
  const readable = new Map<string, string>()
  for (const { from, to } of rules) {
    const reading = readSource(from)
    if ('problem' in reading) problems.add(reading.problem)
    // The first of several addresses that are the same to us.
    else if (reading.source !== to && !readable.has(reading.source)) readable.set(reading.source, to)
  }
  const all = [...readable].map(([source, target]) => ({ source, target }))
  let added = 0
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH)
    const kept = await storage.write((tx) => putImageRules(tx, batch, utcFromMillis(now())))
    added += kept.added
    if (kept.isFull) problems.add(`there are ${MOST_BESIDE_IMAGES} already, and more are for other addresses only`)
  }
  return { added, problems: [...problems] }
}

async function putImageRules(
  tx: Transaction,
  batch: readonly RedirectRule[],
  created_at: string,
): Promise<{ readonly added: number; readonly isFull: boolean }> {
  let room = MOST_BESIDE_IMAGES - (await countRules(tx))
  let added = 0
  let isFull = false
  for (const { source, target } of batch) {
    const rule = await tx.first(tx.db.selectFrom('redirect').select('target').where('source', '=', source))
    if (rule !== undefined && !(await isOfGoneImage(tx, rule.target))) continue
    if (rule === undefined && room <= 0) isFull = true
    else {
      await tx.run(tx.db.deleteFrom('redirect').where('source', '=', source))
      await tx.run(tx.db.insertInto('redirect').values({ source, target, created_at }))
      room -= rule === undefined ? 1 : 0
      added += 1
    }
  }
  return { added, isFull }
}

async function isOfGoneImage(tx: Transaction, target: string): Promise<boolean> {
  if (!target.startsWith(MEDIA_PATH)) return false
  // The files of smaller sizes are named after that of the whole image.
  const file = target.slice(MEDIA_PATH.length).replace(/-\d+x\d+(?=\.\w+$)/, '')
  return (await tx.first(tx.db.selectFrom('media').select('id').where('file', '=', file))) === undefined
}

async function countRules(tx: Transaction): Promise<number> {
  const counted = await tx.first(tx.db.selectFrom('redirect').select((one) => one.fn.countAll<number>().as('rules')))
  return Number(counted?.rules ?? 0)
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
