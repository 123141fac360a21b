import { withoutEmpty } from '../../calendar/shared/present.ts'
import { MEDIA_PATH } from '../../calendar/shared/stored-image.ts'
import type { Urls } from '../../http/address.ts'
import { type NamedSchema, named, type Schema } from '../../http/openapi/parts.ts'
import { type EntryKey, RESOURCES } from '../../model/resource.ts'
import { STATUSES } from '../../model/status.ts'
import { FLAG, ID, object, only, sample, TEXT } from './schemas.ts'

/** Members of an item, in their order: as the interface shows it, or as this namespace does. */
export type Members = Readonly<Record<string, unknown>>

/** Members in their order: what each looks like, and its value for an item. */
export type MemberTable<Item> = Readonly<Record<string, readonly [schema: Schema, read: (item: Item) => unknown]>>

/** The members of a kind of items. */
interface Declared<Item> {
  readonly always: MemberTable<Item>
  /** Left out without content; they follow at the end. */
  readonly further: MemberTable<Item>
  readonly uses?: readonly NamedSchema[]
}

/** What items of a kind look like, and how each is shown. */
export interface Shape<Item> {
  readonly schema: NamedSchema
  present(item: Item, withFurther?: boolean): Members
}

/** The shape of a kind of items; they may have more members than those that are declared. */
export function shapeOf<Item>(name: string, { always, further, uses }: Declared<Item>): Shape<Item> {
  const members = Object.entries({ ...always, ...further }).map(([member, [schema]]) => [member, schema])
  const schema = { type: 'object', properties: Object.fromEntries(members), required: Object.keys(always) }
  return {
    schema: named(name, schema, uses),
    present: (item, withFurther = true) => ({
      ...valuesOf(always, item),
      ...(withFurther && withoutEmpty(valuesOf(further, item))),
    }),
  }
}

function valuesOf<Item>(table: MemberTable<Item>, item: Item): Members {
  return Object.fromEntries(Object.entries(table).map(([name, [, read]]) => [name, read(item)]))
}

/** A member that is the same of every item. */
export function constant(value: string | number | false) {
  return [only(value), () => value] as const
}

/** The same with `T` between day and time. */
const ISO = sample('2027-01-10T09:00:00', { pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' })

/** Where an item is shown. */
export interface ItemViewer {
  readonly urls: Pick<Urls, 'page'>
}

/** An item to be shown, and what hides its content from this caller. */
export interface ShownItem extends ItemViewer {
  /** As the interface shows it. */
  readonly shown: Members
  /** Whether it has a password. */
  readonly isProtected?: boolean
  /** What stands in place of its texts; undefined where the caller sees them. */
  readonly instead?: string | undefined
}

/** The members that every item starts with, up to `template`. */
export function commonMembers(kind: EntryKey) {
  const { page, wireType } = RESOURCES[kind]
  const link = sample(`https://calendar.example/${page}/spring-regatta/`, { format: 'uri' })
  return {
    id: [ID, ({ shown }) => shown['id']],
    date: iso('date'),
    date_gmt: iso('date_utc'),
    guid: [object({ rendered: link }), ({ shown }) => ({ rendered: textOf(shown['url']) })],
    modified: iso('modified'),
    modified_gmt: iso('modified_utc'),
    slug: text('slug', sample('spring-regatta')),
    status: [{ type: 'string', enum: STATUSES }, ({ shown }) => shown['status']],
    type: constant(wireType),
    link: text('url', link),
    title: rendered(kind === 'event' ? 'title' : kind),
    content: content('description'),
    excerpt: content('excerpt'),
    author: [sample(2, { minimum: 0 }), ({ shown }) => Number(shown['author'] ?? 0)],
    featured_media: [sample(6, { minimum: 0 }), ownImageId],
    template: constant(''),
  } as const satisfies MemberTable<ShownItem>
}

/** A member that is a text of the interface, which may leave it out. */
export function text(member: string, schema = TEXT) {
  return [schema, ({ shown }: ShownItem) => textOf(shown[member])] as const
}

/** Several of them, under the same names. */
export function texts(...names: readonly string[]): MemberTable<ShownItem> {
  return Object.fromEntries(names.map((name) => [name, text(name)]))
}

function iso(member: string) {
  return [ISO, ({ shown }: ShownItem) => textOf(shown[member]).replace(' ', 'T')] as const
}

function rendered(member: string) {
  const schema = object({ rendered: sample('Spring Regatta') })
  return [schema, ({ shown }: ShownItem) => ({ rendered: textOf(shown[member]) })] as const
}

function content(member: string) {
  const schema = object({ rendered: sample('<p>Bring a dry bag.</p>'), protected: FLAG })
  const read = ({ shown, instead, isProtected = false }: ShownItem) => ({
    rendered: instead ?? textOf(shown[member]),
    protected: isProtected,
  })
  return [schema, read] as const
}

/** The text of a member that the interface may leave out; '' then. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The ID of an image of ours; 0 for none, and for one that an import recorded. */
function ownImageId({ shown: { image }, urls }: ShownItem): number {
  if (typeof image !== 'object' || image === null) return 0
  const { id, url } = image as { readonly id?: unknown; readonly url?: unknown }
  return typeof id === 'number' && textOf(url).startsWith(urls.page(MEDIA_PATH)) ? id : 0
}
