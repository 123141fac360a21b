import { addUser, findLogin, type UserBook } from '../../../accounts/users/index.ts'
import { plainText } from '../../../base/text/html.ts'
import { isAddress } from '../../../base/text/mailbox.ts'
import { percentDecoded, slugify } from '../../../base/text/slug.ts'
import { isRole, type Role } from '../../../http/auth/rights.ts'
import type { Storage } from '../../../storage/engine.ts'
import { isObject } from '../readers/json/members.ts'
import type { SiteApi } from '../readers/site/discover.ts'
import { idOf, objectsIn, type Raw } from '../readers/site/raw.ts'
import type { SiteClient } from '../readers/site/site-client.ts'
import type { MadeUser } from '../readers/site/types.ts'
import type { Skipped } from '../types.ts'
import { type Provenance, storeProvenance } from './store-items.ts'

/** What users are looked up with. */
export interface AuthorDeps {
  readonly book: UserBook
  readonly client: SiteClient
  readonly api: SiteApi
  readonly authorization: string | undefined
  /** IDs of authors that items have. */
  readonly wanted: ReadonlySet<string>
  /** Users that were imported before, by their ID there. */
  readonly provenance: ReadonlyMap<string, Provenance>
  readonly isDryRun: boolean
}

/** The users that own items. */
export interface Authors {
  /** Users here by their ID there. */
  readonly ids: ReadonlyMap<string, number>
  readonly found: number
  /** How many are missing here; in a dry run none of them is created. */
  readonly created: number
  /** Created users, disabled. */
  readonly made: readonly MadeUser[]
  readonly skipped: readonly Skipped[]
}

/** Most pages of users that are read. */
const PAGE_LIMIT = 100

/**
 * Finds the authors of items, and who else may write at the site, among the users here, by name or email address; who is
 * not here is created, disabled.
 */
export async function findAuthors(deps: AuthorDeps): Promise<Authors> {
  const { wanted, provenance, isDryRun } = deps
  const ids = new Map<string, number>()
  const skipped: Skipped[] = []
  const made: MadeUser[] = []
  let created = 0
  const listed = await usersOf(deps)
  const writers = [...listed].filter(([, user]) => mayWrite(user)).map(([id]) => String(id))
  for (const id of [...new Set([...wanted, ...writers])].sort((one, other) => Number(one) - Number(other))) {
    const before = provenance.get(id)
    if (before !== undefined) {
      ids.set(id, before.item_id)
      continue
    }
    const user = listed.get(Number(id))
    if (user === undefined) {
      skipped.push({ what: `user ${id}`, why: NOT_SHOWN, isNote: true })
      continue
    }
    const known = await knownUser(deps.book, user)
    if (known !== undefined) ids.set(id, known)
    else {
      created += 1
      if (roleThere(user) === 'administrator')
        skipped.push({ what: `user ${id} ${nameOf(user)}`, why: LESS, isNote: true })
      if (isDryRun) continue
      const one = await makeUser(deps, user)
      ids.set(id, one.id)
      made.push(one)
    }
  }
  return { ids, found: listed.size, created, made, skipped }
}

/** Notes whom the users of a site are here. */
export async function keepAuthors(storage: Storage, { ids }: Authors, origin: string): Promise<void> {
  await storeProvenance(
    storage,
    [...ids].map(([key, item_id]) => ({ origin, kind: 'user', key, item_id, digest: '' })),
  )
}

/** The note about users whom the site hides. */
const NOT_SHOWN = 'the site does not show it: what it owns went to the one who imports'

/** The note about administrators: whoever enables one decides about the rights, too. */
const LESS = 'an administrator of the site is an editor here: "kalends user role" says otherwise'

/** Whether a user of the site may write there: without rights to see roles, a site shows only those who do. */
function mayWrite(user: Raw): boolean {
  const { roles } = user
  if (!Array.isArray(roles)) return true
  const role = roleThere(user)
  return role !== undefined && role !== 'subscriber'
}

/** The first role at the site that is one here, too; undefined where none is. */
function roleThere({ roles }: Raw): Role | undefined {
  return Array.isArray(roles) ? roles.find((role): role is Role => typeof role === 'string' && isRole(role)) : undefined
}

/** The users that the site shows, by ID. */
async function usersOf(deps: AuthorDeps): Promise<ReadonlyMap<number, Raw>> {
  const { client, api, authorization } = deps
  if (api.isKalends) return usersOfKalends(deps)
  const found = new Map<number, Raw>()
  for (const context of authorization === undefined ? ['view'] : ['edit', 'view']) {
    let isRefused = false
    for (let page = 1; page <= PAGE_LIMIT; page += 1) {
      const url = api.at('/users', { context, per_page: 100, page }, 'wp/v2')
      const asked = await client.ask(url, { want: 'json', authorization, isUsable: (json) => typeof json === 'object' })
      isRefused = !asked.ok || asked.response.status !== 200 || !Array.isArray(asked.json)
      if (!asked.ok || isRefused) break
      for (const user of objectsIn(asked.json)) found.set(idOf(user) ?? 0, user)
      if (page >= Number(asked.response.headers['x-wp-totalpages'] ?? 1)) break
    }
    if (!isRefused && found.size > 0) break
  }
  return found
}

/** The same of a Kalends, which shows its users to administrators. */
async function usersOfKalends({ client, api, authorization }: AuthorDeps): Promise<ReadonlyMap<number, Raw>> {
  const found = new Map<number, Raw>()
  let after = 0
  for (let page = 1; page <= PAGE_LIMIT; page += 1) {
    const url = api.at('/users', { limit: 100, ...(after > 0 && { after }) }, 'kalends/v1')
    const asked = await client.ask(url, { want: 'json', authorization, isUsable: isObject })
    const users = asked.ok && isObject(asked.json) ? objectsIn(asked.json['users']) : []
    for (const { id, name: username, display_name: name, email, role } of users)
      found.set(idOf({ id }) ?? 0, { id, username, name, email, roles: [role] })
    const last = Math.max(0, ...found.keys())
    if (users.length === 0 || last <= after) break
    after = last
  }
  return found
}

function textOf(user: Raw, name: string): string {
  const value = user[name]
  return typeof value === 'string' ? plainText(value) : ''
}

async function knownUser({ storage }: UserBook, user: Raw): Promise<number | undefined> {
  for (const login of [textOf(user, 'email'), textOf(user, 'username'), textOf(user, 'slug'), textOf(user, 'name')]) {
    const found = login === '' ? undefined : await findLogin(storage, login)
    if (found !== undefined) return found.id
  }
  return undefined
}

/** Characters of a name that leave room for a number behind it. */
const NAME_LENGTH = 40

/** A name with what names may have, in whole characters. */
function loginOf(text: string): string {
  const plain = percentDecoded(text).replace(/[^\p{L}\p{M}\p{N}._-]/gu, '-')
  return [...plain].slice(0, NAME_LENGTH).join('')
}

function nameOf(user: Raw): string {
  return JSON.stringify((textOf(user, 'name') || textOf(user, 'username') || textOf(user, 'slug')).slice(0, 80))
}

/** Makes a user who cannot sign in before someone enables it. */
async function makeUser({ book, api }: AuthorDeps, user: Raw): Promise<MadeUser> {
  const id = String(idOf(user))
  const login = loginOf(textOf(user, 'username') || textOf(user, 'slug'))
    .toWellFormed()
    .replaceAll('\uFFFD', '')
  const base = login || loginOf(slugify(textOf(user, 'name'))) || `user-${id}`
  const name = await freeName(book.storage, base, id)
  const theirs = textOf(user, 'email')
  // A host may be an address with colons.
  const host = new URL(api.root).hostname.replace(/[^\p{L}\p{N}.-]+/gu, '-').replace(/^-|-$/g, '')
  const email = isAddress(theirs) ? theirs : `${name}@${host}.invalid`
  const there = roleThere(user) ?? 'author'
  const role = there === 'administrator' ? 'editor' : there
  const displayName = textOf(user, 'name').slice(0, LONGEST_NAME)
  const made = await addUser(book, { name, email, role, displayName, isDisabled: true })
  return { id: made.id, name, role }
}

/** Characters of a shown name. */
const LONGEST_NAME = 200

/** A name that nobody has: the one given, or with a number. */
async function freeName(storage: Storage, base: string, id: string): Promise<string> {
  for (let tried = 0; ; tried += 1) {
    const name = tried === 0 ? base : [base, id, ...(tried > 1 ? [tried] : [])].join('-')
    if ((await findLogin(storage, name)) === undefined) return name
  }
}
