import { createHash } from 'node:crypto'
import { fold } from '../../../base/text/fold.ts'
import { nameKey } from '../../../base/text/name-key.ts'
import { ORGANIZERS, type OrganizerContent } from '../../../calendar/organizers/index.ts'
import type { LinkedContent } from '../../../calendar/shared/linked/row.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventContent, NamedOrganizer } from '../readers/icalendar/content.ts'
import type { SourceEntry } from '../readers/json/read-entry.ts'
import type { SourceLinked } from '../readers/json/read-linked.ts'
import { inParts, inSlices } from '../slices.ts'
import { organizersNamed } from './store-linked.ts'
import { idsByOrigin } from './store-origins.ts'

/** What the events of a file name: stored ones by name, and those to create. */
export interface LinkedPlan<Item> {
  readonly known: ReadonlyMap<string, number>
  readonly made: ReadonlyMap<string, Item>
}

/** The same for places and organizers: some names mean the same one, with more or fewer details. */
export interface SharedPlan<Item> extends LinkedPlan<Item> {
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

/** The venues or organizers that events name, and how they are compared. */
interface Sharing<Named, Content> {
  /** By their names in the run. */
  readonly wanted: ReadonlyMap<string, Named>
  readonly known: Map<string, number>
  /** The ID of the stored one that it matches. */
  stored(item: Named): number | undefined
  /** Whether nothing else tells two of one name apart. */
  mayBeOne(item: Named, other: Named): boolean
  make(name: string, item: Named): SourceLinked<Content>
}

/**
 * Matches each with a stored one, else with one of its name in the file that has all of its details, else creates it. The
 * order in the file does not matter.
 */
export async function sharedPlan<Named extends Nameable, Content>({
  wanted,
  known,
  ...sharing
}: Sharing<Named, Content>): Promise<SharedPlan<SourceLinked<Content>>> {
  const made = new Map<string, SourceLinked<Content>>()
  const same = new Map<string, string>()
  const detailed = new Map<string, (readonly [string, Named])[]>()
  const sorted = [...wanted].sort(([a, one], [b, other]) => other.words.size - one.words.size || (a < b ? -1 : 1))
  for await (const [name, item] of inSlices(sorted)) {
    if (known.has(name)) continue
    const id = sharing.stored(item)
    const keys = ['', ...item.words].map((word) => `${nameKey(item.name)}\n${word}`)
    const [others = []] = keys.map((key) => detailed.get(key) ?? []).sort((one, other) => one.length - other.length)
    const found = others.find(
      ([, other]) => [...item.words].every((word) => other.words.has(word)) && sharing.mayBeOne(item, other),
    )
    if (id !== undefined) known.set(name, id)
    else if (found !== undefined) same.set(name, found[0])
    else {
      for (const key of keys) {
        const before = detailed.get(key)
        if (before === undefined) detailed.set(key, [[name, item]])
        else before.push([name, item])
      }
      made.set(name, sharing.make(name, item))
    }
  }
  return { known, made, same }
}

/** The organizers of events: by name, and by email address as far as both have one. */
export async function planOrganizers(
  reader: Reader,
  { contents, file }: { readonly contents: readonly EventContent[]; readonly file: string },
): Promise<SharedPlan<SourceLinked<OrganizerContent>>> {
  const { wanted, since } = await mentions(contents, ({ organizers }) =>
    organizers.map((one): [string, NamedOrganizer] => [organizerName(one), one]),
  )
  const known = new Map(await originsOf(reader, 'organizer', [...wanted.keys()]))
  const names = new Set<string>()
  for await (const organizer of inSlices(wanted.values())) names.add(fold(organizer.name))
  const named = Map.groupBy(await organizersNamed(reader, [...names]), (one) => nameKey(one.name))
  const read = new Map<string, NamedOrganizer & Nameable>()
  for (const [name, one] of wanted)
    read.set(name, { ...one, words: new Set(one.email === '' ? [] : [fold(one.email)]) })
  return sharedPlan<NamedOrganizer & Nameable, OrganizerContent>({
    wanted: read,
    known,
    stored: (one) => named.get(nameKey(one.name))?.find((other) => mayBeSame(one.email, other.email))?.id,
    mayBeOne: () => true,
    make: (name, one) => {
      const content = { ...ORGANIZERS.blank, name: one.name, email: one.email }
      return newLinked({ file, globalId: name, content, since: since.get(name) })
    },
  })
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
  readonly since: string | undefined
}): SourceLinked<Content> {
  const { file, globalId, content, since } = made
  const identity = { globalId, lineage: [], wishedId: undefined }
  const entry = { ...BLANK_ENTRY, publishedAt: since, modifiedAt: since }
  return { place: { file, path: globalId }, identity, entry, content }
}

/** What events name. */
interface Mentions<Item> {
  /** By the name that it has in a run, as the first event has it. */
  readonly wanted: ReadonlyMap<string, Item>
  /**
   * When it was first mentioned, UTC text: items created from it have not changed since, so it makes no event look newer than
   * it is. Undefined where an event has no time of change.
   */
  readonly since: ReadonlyMap<string, string | undefined>
}

export async function mentions<Item>(
  contents: readonly EventContent[],
  namedIn: (content: EventContent) => readonly (readonly [string, Item])[],
): Promise<Mentions<Item>> {
  const wanted = new Map<string, Item>()
  const since = new Map<string, string | undefined>()
  for await (const part of inParts(contents))
    for (const content of part)
      for (const [name, item] of namedIn(content)) {
        if (!wanted.has(name)) wanted.set(name, item)
        const before = since.has(name) ? since.get(name) : content.modified
        const { modified } = content
        const isEarlier = before === undefined || (modified !== undefined && before < modified)
        since.set(name, isEarlier ? before : modified)
      }
  return { wanted, since }
}

export async function originsOf(
  reader: Reader,
  kind: 'venue' | 'organizer',
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for await (const part of inParts(names))
    for (const [name, id] of await idsByOrigin(reader, kind, part)) found.set(name, id)
  return found
}
