import { createHash } from 'node:crypto'
import { fold } from '../../../base/text/fold.ts'
import { nameKey } from '../../../base/text/name-key.ts'
import { ORGANIZERS, type OrganizerContent } from '../../../calendar/organizers/index.ts'
import type { LinkedContent, LinkedKey } from '../../../calendar/shared/linked/row.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventContent, NamedOrganizer } from '../readers/icalendar/content.ts'
import type { SourceEntry } from '../readers/json/read-entry.ts'
import type { SourceLinked } from '../readers/json/read-linked.ts'
import { inParts, inSlices } from '../slices.ts'
import { type KnownOrganizer, organizersNamed } from './store-linked.ts'
import { idsByOrigin } from './store-origins.ts'

/** What the events of a file name: stored ones by name, and those to create. */
export interface LinkedPlan<Item> {
  readonly known: ReadonlyMap<string, number>
  readonly made: ReadonlyMap<string, Item>
}

/** The same for places and organizers: some names mean the same one, with more or fewer details. */
interface SharedPlan<Item> extends LinkedPlan<Item> {
  /** Further names of items in `made`, each with the name there. */
  readonly same: ReadonlyMap<string, string>
}

/** Text of an entry without a description. */
export const BLANK_ENTRY: SourceEntry = {
  status: 'publish',
  slug: '',
  publishedAt: undefined,
  modifiedAt: undefined,
  description: '',
  excerpt: '',
  image_recorded: null,
  imageAddress: '',
  recordedAuthor: '',
  unknown: {},
}

/** Longest name under which something is known. */
const LONGEST = 500

/** A name within a run, short enough to be stored; long ones that differ stay different. */
export function runName(kind: 'LOCATION' | 'ORGANIZER' | 'UID', text: string): string {
  const name = `${kind}:${text}`
  if (name.length <= LONGEST) return name
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 22)
  return `${name.slice(0, LONGEST - 30).toWellFormed()} ${digest}`
}

/** The name of an organizer within a run, the same in every spelling; a shared email address joins nobody. */
export function organizerName({ name, email }: NamedOrganizer): string {
  return runName('ORGANIZER', [email.toLowerCase(), nameKey(name)].filter((part) => part !== '').join(' '))
}

/** A venue or organizer that events name, as far as it is compared with others. */
export interface Nameable {
  readonly name: string
  /** Its details, folded: the words of an address, or an email address. */
  readonly words: ReadonlySet<string>
}

/** Venues or organizers: how those that events name are compared with each other and with stored ones. */
export interface LinkedKind<Named extends Nameable, Known extends { readonly name: string }, Content> {
  readonly key: LinkedKey
  /** Those of an event, each with its name within a run; `[]` for none. */
  namedIn(content: EventContent): readonly (readonly [string, Named])[]
  /** The stored ones with some folded names. */
  find(reader: Reader, names: readonly string[]): Promise<readonly Known[]>
  /** The names that it may have here. */
  namesOf(item: Named): readonly string[]
  /** The ID of the stored one that it is; `named` has them by the keys of their names. */
  stored(item: Named, named: ReadonlyMap<string, readonly Known[]>): number | undefined
  /** Whether nothing but details tells two of one name apart. */
  mayBeOne(item: Named, other: Named): boolean
  contentOf(item: Named): Content
}

/**
 * Matches those that events name with what was created from the same name before, with a stored one, or with one of its name in
 * the file that has all of its details; else creates it. The order in the file does not matter.
 */
export async function planLinked<
  Named extends Nameable,
  Known extends { readonly name: string },
  Content extends LinkedContent,
>(
  reader: Reader,
  kind: LinkedKind<Named, Known, Content>,
  { contents, file }: { readonly contents: readonly EventContent[]; readonly file: string },
): Promise<SharedPlan<SourceLinked<Content>>> {
  const wanted = new Map<string, Named>()
  // Items created from their first mention have not changed since, so they make no event look newer than it is.
  const since = new Map<string, string | undefined>()
  for await (const part of inParts(contents))
    for (const content of part)
      for (const [name, item] of kind.namedIn(content)) {
        const { modified } = content
        const before = since.has(name) ? since.get(name) : modified
        if (before === undefined || modified === undefined) since.set(name, undefined)
        else if (!since.has(name) || modified < before) since.set(name, modified)
        if (!wanted.has(name)) wanted.set(name, item)
      }
  const known = new Map(await idsByOrigin(reader, kind.key, [...wanted.keys()]))
  const named = await storedByName(reader, kind, [...wanted.values()].flatMap(kind.namesOf))
  const made = new Map<string, SourceLinked<Content>>()
  const same = new Map<string, string>()
  const detailed = new Map<string, (readonly [string, Named])[]>()
  const sorted = [...wanted].sort(([a, one], [b, other]) => other.words.size - one.words.size || (a < b ? -1 : 1))
  for await (const [name, item] of inSlices(sorted)) {
    if (known.has(name)) continue
    const id = kind.stored(item, named)
    const keys = ['', ...item.words].map((word) => `${nameKey(item.name)}\n${word}`)
    const [others = []] = keys.map((key) => detailed.get(key) ?? []).sort((one, other) => one.length - other.length)
    const found = others.find(
      ([, other]) => [...item.words].every((word) => other.words.has(word)) && kind.mayBeOne(item, other),
    )
    if (id !== undefined) known.set(name, id)
    else if (found !== undefined) same.set(name, found[0])
    else {
      for (const key of keys) {
        const others = detailed.get(key) ?? []
        others.push([name, item])
        detailed.set(key, others)
      }
      made.set(name, newLinked({ file, globalId: name, content: kind.contentOf(item), since: since.get(name) }))
    }
  }
  return { known, made, same }
}

/** The stored venues or organizers with some names, by the keys of these. */
export async function storedByName<Known extends { readonly name: string }>(
  reader: Reader,
  { find }: Pick<LinkedKind<Nameable, Known, unknown>, 'find'>,
  names: readonly string[],
): Promise<Map<string, Known[]>> {
  const folded = new Set<string>()
  for await (const name of inSlices(names)) folded.add(fold(name))
  return Map.groupBy(await find(reader, [...folded]), ({ name }) => nameKey(name))
}

/** The organizers of events: by name, and by email address as far as both have one. */
export const NAMED_ORGANIZERS: LinkedKind<NamedOrganizer & Nameable, KnownOrganizer, OrganizerContent> = {
  key: 'organizer',
  namedIn: ({ organizers }) =>
    organizers.map((one) => {
      const words = new Set(one.email === '' ? [] : [fold(one.email)])
      return [organizerName(one), { ...one, words }]
    }),
  find: organizersNamed,
  namesOf: ({ name }) => [name],
  stored: ({ name, email }, named) => named.get(nameKey(name))?.find((other) => mayBeSame(email, other.email))?.id,
  mayBeOne: () => true,
  contentOf: ({ name, email }) => ({ ...ORGANIZERS.blank, name, email }),
}

/** Whether email addresses do not say that two organizers are different. */
export function mayBeSame(one: string, other: string): boolean {
  return one === '' || other === '' || fold(one) === fold(other)
}

/** A venue or organizer to create. */
export function newLinked<Content extends LinkedContent>(made: {
  readonly file: string
  readonly globalId: string
  readonly content: Content
  /** UTC text; undefined for the present. */
  readonly since?: string | undefined
}): SourceLinked<Content> {
  const { file, globalId, content, since } = made
  const identity = { globalId, lineage: [], wishedId: undefined }
  const entry = { ...BLANK_ENTRY, publishedAt: since, modifiedAt: since }
  return { place: { file, path: globalId }, identity, entry, content }
}
