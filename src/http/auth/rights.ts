import { type Failure, fail } from '../../base/errors.ts'

/*
 * What callers may do (decisions: Rights). Questions about an entry look at its author and status and hold by ID and
 * by slug alike; questions without an entry look at the role alone.
 */

/** The columns of an event, venue or organizer that decide rights. */
export interface OwnedItem {
  readonly authorId: number
  /** publish, future, draft, pending, private or trash. */
  readonly status: string
}

/** Statuses in which contributors may still change their own entries: not public, and not accepted yet. */
const UNPUBLISHED: ReadonlySet<string> = new Set(['draft', 'pending', 'trash'])

/** May anyone: published items are for all. */
export function everybody(): boolean {
  return true
}

/** May the caller see this entry: published ones everybody, all others their author and editors (wire: events 8.1). */
export function mayRead(caller: Caller, row: OwnedItem): boolean {
  return row.status === 'publish' || isEditor(caller.role) || isOwn(caller, row)
}

/** May the caller change this entry: contributors their own unpublished, authors their own, editors all. */
export function mayEdit(caller: Caller, row: OwnedItem): boolean {
  if (isEditor(caller.role)) return true
  if (!isOwn(caller, row)) return false
  return isAtLeast(caller.role, 'author') || (caller.role === 'contributor' && UNPUBLISHED.has(row.status))
}

/** May the caller move this entry to the trash: whoever may change it. */
export function mayDelete(caller: Caller, row: OwnedItem): boolean {
  return mayEdit(caller, row)
}

/** May the caller make `authorId` the author of an entry: editors anyone, everybody else only themselves. */
export function maySetAuthor(caller: Caller, authorId: number): boolean {
  return isEditor(caller.role) || (mayCreateEntries(caller.role) && caller.id === authorId)
}

/** Editors and administrators: they see, change and delete what belongs to others. */
export function isEditor(role: CallerRole): boolean {
  return isAtLeast(role, 'editor')
}

/** May this role delete permanently, past the trash (decisions: Trash). */
export function mayDeleteForGood(role: CallerRole): boolean {
  return isEditor(role)
}

/** May this role create events, venues and organizers. */
export function mayCreateEntries(role: CallerRole): boolean {
  return isAtLeast(role, 'contributor')
}

/** May this role list entries of other statuses than publish; whose, decides `mayRead` row by row. */
export function mayListUnpublished(role: CallerRole): boolean {
  return isAtLeast(role, 'contributor')
}

/** May this role publish, schedule, make private and trash by status; a contributor's `publish` and `future` become `pending`. */
export function mayPublish(role: CallerRole): boolean {
  return isAtLeast(role, 'author')
}

/** May this role create, change and delete categories. */
export function mayWriteCategories(role: CallerRole): boolean {
  return isAtLeast(role, 'author')
}

/** May this role create, change and delete tags. */
export function mayWriteTags(role: CallerRole): boolean {
  return isAtLeast(role, 'author')
}

/** May this role make new categories and tags by naming them in an event. */
export function mayCreateTerms(role: CallerRole): boolean {
  return isAtLeast(role, 'author')
}

/** May this role add images, by file or by address (wire: events 8.2). */
export function mayUpload(role: CallerRole): boolean {
  return isAtLeast(role, 'author')
}

/** The response to a caller who may not: 401 when credentials could help, 403 when they do not suffice. */
export function forbidden(caller: Caller): Failure {
  return fail('rest_forbidden', {}, { status: caller.id === 0 ? 401 : 403 })
}

function isOwn(caller: Caller, row: OwnedItem): boolean {
  return caller.id !== 0 && caller.id === row.authorId
}

/** True when `role` may do at least what `least` may; never for `anonymous`. */
export function isAtLeast(role: CallerRole, least: Role): boolean {
  return role !== 'anonymous' && ROLES.indexOf(role) <= ROLES.indexOf(least)
}

/** Roles from the most to the least powerful; each may do everything that the later ones may. */
export const ROLES = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const

/** The role of a user. */
export type Role = (typeof ROLES)[number]

/** Role of a caller; `anonymous` without credentials. */
export type CallerRole = Role | 'anonymous'

/** True for the name of a role, in lower case as in `ROLES`. */
export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}

/** Who sent a request. */
export interface Caller {
  /** ID of the user; 0 for an anonymous caller. */
  readonly id: number
  readonly role: CallerRole
  /** Name of the user; '' for an anonymous caller. */
  readonly name: string
  /** What the token of the request allows; absent without a token: then the role alone decides. */
  readonly scopes?: readonly TokenScope[]
  /** What its owner calls that token; absent without one. */
  readonly token?: string
  /** When that token expires, UTC text; null for never. */
  readonly expiresAt?: string | null
  /** Whether the caller is a person in a browser. */
  readonly inSession?: true
  /** Whether that person signed in or proved again who they are within ten minutes. */
  readonly isConfirmed?: boolean
}

/** What tokens may be for: each narrows what the role of its owner allows, and `admin` does not. */
export const TOKEN_SCOPES = ['read', 'events:write', 'terms:write', 'media:write', 'admin'] as const

/** A scope of a token. */
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** Whether the credentials of a caller allow something, whatever the role says; all of them allow to read. */
export function hasScope({ scopes }: Pick<Caller, 'scopes'>, scope: TokenScope): boolean {
  return scopes === undefined || scope === 'read' || scopes.includes(scope) || scopes.includes('admin')
}

/** Refuses what the token of a caller does not allow. @throws insufficient_scope */
export function requireScope(caller: Pick<Caller, 'scopes'>, scope: TokenScope): void {
  if (!hasScope(caller, scope)) throw fail('insufficient_scope', { scope })
}

/** The caller of a request without credentials. */
export const ANONYMOUS: Caller = Object.freeze({ id: 0, role: 'anonymous', name: '' })

/** True for a caller without credentials. */
export function isAnonymous(caller: Caller): boolean {
  return caller.id === 0
}

/**
 * The name of a role.
 * @throws unknown_role
 */
export function checkRole(role: string): Role {
  if (isRole(role)) return role
  throw fail('unknown_role', { role, roles: ROLES.join(', ') })
}
