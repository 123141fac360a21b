import { slugify } from '../../base/text/slug.ts'
import {
  type Caller,
  hasScope,
  isEditor,
  mayCreateEntries,
  mayPublish,
  mayUpload,
  mayWriteCategories,
  type Role,
  type TokenScope,
} from '../../http/auth/rights.ts'
import type { Context } from '../../model/kinds/context.ts'
import type { User } from './book.ts'

/** The form in which a user is to be shown. */
interface Showing {
  readonly caller: Pick<Caller, 'scopes'>
  /** Builds absolute URLs of pages and of the API. */
  readonly urls: { page(path: string): string; api(path: string): string }
  readonly language: string
  readonly context: Context
}

/**
 * The calling user in the shape of generic clients. Members that users do not have here are present and empty; `edit` adds
 * what concerns no one else, with roles and capabilities. Users have no pages: `link` is the start page.
 */
export function presentMe(user: User, { caller, urls, language, context }: Showing): Readonly<Record<string, unknown>> {
  const name = user.displayName
  const texts = { url: '', description: '', link: urls.page('/') }
  const slug = slugify(user.name)
  const ends = {
    avatar_urls: {},
    ...(context !== 'embed' && { meta: [] }),
    _links: { self: [{ href: urls.api('/users/me') }] },
  }
  if (context !== 'edit') return { id: user.id, name, ...texts, slug, ...ends }
  const names = { username: user.name, name, first_name: '', last_name: '', email: user.email }
  const own = { locale: language, nickname: name, slug, roles: [user.role] }
  const registered = { registered_date: `${user.createdAt.replace(' ', 'T')}+00:00` }
  const whole = hasScope(caller, 'admin') ? { [user.role]: true } : {}
  const may = { capabilities: { ...capabilitiesOf(caller, user.role), ...whole }, extra_capabilities: whole }
  return { id: user.id, ...names, ...texts, ...own, ...registered, ...may, ...ends }
}

/** What generic clients call the things that have an author and a status; `posts` stands for all of them. */
const TYPES = ['posts', 'tribe_events', 'tribe_venues', 'tribe_organizers']

/** Capabilities of one of the types, `*` in place of its name, and which roles have them (wire: rest 4.2). */
const TYPE_CAPABILITIES = [
  ['edit_*', mayCreateEntries],
  ['delete_*', mayCreateEntries],
  ['publish_*', mayPublish],
  ['edit_published_*', mayPublish],
  ['delete_published_*', mayPublish],
  ['edit_others_*', isEditor],
  ['delete_others_*', isEditor],
  ['edit_private_*', isEditor],
  ['delete_private_*', isEditor],
  ['read_private_*', isEditor],
] as const

/** Names of what a caller may do -> true, as generic clients know them; what it may not do is absent. */
function capabilitiesOf(caller: Pick<Caller, 'scopes'>, role: Role): Readonly<Record<string, true>> {
  const own = TYPE_CAPABILITIES.filter(([name, has]) => has(role) && hasScope(caller, scopeOf(name)))
  const ofTypes = TYPES.flatMap((type) => own.map(([name]) => name.replace('*', type)))
  const others = [
    'read',
    ...(mayUpload(role) && hasScope(caller, 'media:write') ? ['upload_files'] : []),
    ...(mayWriteCategories(role) && hasScope(caller, 'terms:write') ? ['manage_categories'] : []),
  ]
  return Object.fromEntries([...others, ...ofTypes].map((name) => [name, true]))
}

function scopeOf(capability: string): TokenScope {
  return capability.startsWith('read') ? 'read' : 'events:write'
}

/** A user as administrators see it. */
export function presentAccount(user: User): Readonly<Record<string, unknown>> {
  const { id, name, displayName: display_name, email, role, createdAt: created_at, disabledAt } = user
  return { id, name, display_name, email, role, disabled: disabledAt !== null, created_at }
}
