import { maySetAuthor } from '../../auth/rights.ts'
import { chooseImage, type Pictures, type WantedPicture, wantedPicture, withImage } from '../../entries/image.ts'
import type { LinkedLookup } from '../../entries/linked/lookup.ts'
import { fail } from '../../errors.ts'
import { type EventRow, NO_LINKS } from '../../event-store/event-row.ts'
import { linksOf } from '../../event-store/relations.ts'
import type { LinkedRef } from '../../fields/linked.ts'
import type { TermRef } from '../../fields/term-list.ts'
import { areWithinYears, ticketsIn } from '../../fields/tickets.ts'
import type { Call, Refusal } from '../../http/route.ts'
import type { EventValues } from '../../model/event.ts'
import type { Site } from '../../model/site.ts'
import type { Reader } from '../../storage/engine.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import type { TermLookup } from '../../terms/index.ts'
import { isShown, type Lookups } from '../show/load.ts'
import { parentProblem } from './parent.ts'
import { type EventTimes, resolveTimes, zoneOf } from './rules.ts'
import type { EventChange, LinkTarget } from './writing.ts'

/** What resolving a write needs. */
export interface Resolving {
  readonly reader: Reader
  readonly site: Site
  readonly lookups: Lookups
  /** Whether a user with this id exists. */
  isUser(id: number): Promise<boolean>
  readonly pictures: Pictures
}

/** A resolved write, and what its permission turns on. */
export interface ResolvedChange {
  readonly change: EventChange
  /** Whether it names terms that do not exist yet. */
  readonly makesTerms: boolean
  /** Code to answer with when the write is otherwise in order: inline data whose name is empty. */
  readonly blank: 'could-not-create-venue' | 'could-not-create-organizer' | undefined
}

/** Finds what the values of a write name, and refuses what names nothing. */
export async function resolveChange(
  resolving: Resolving,
  call: Call<EventValues>,
  { stored, refusals }: { readonly stored: EventRow | undefined; readonly refusals: Refusal[] },
): Promise<ResolvedChange> {
  const { values } = call
  const { lookups, reader } = resolving
  const isLinking = stored !== undefined && (values.venue !== undefined || values.organizer !== undefined)
  const links = isLinking ? ((await linksOf(reader, [stored.id])).get(stored.id) ?? NO_LINKS) : NO_LINKS
  const refuse = (name: string, reason: Refusal['reason']): void =>
    void refusals.push({ name, code: 'rest_invalid_param', reason })

  if (values.author !== undefined && !(await resolving.isUser(values.author))) refuse('author', 'unknown_user')
  const times = checkTimes({ values, stored, refusals }, resolving.site)
  const { caller } = call
  const image = await chooseImage(reader, { ref: values.image, row: stored, caller, pictures: resolving.pictures })
  if (image === 'refused') refuse('image', 'bad_image')
  const terms = [
    await checkTerms(lookups.category, {
      reader,
      refs: values.categories,
      refuse: () => refuse('categories', 'bad_term'),
    }),
    await checkTerms(lookups.tag, { reader, refs: values.tags, refuse: () => refuse('tags', 'bad_term') }),
  ]
  const linking = { reader, call, site: resolving.site }
  const venue = await readLinked(lookups.venue, { ...linking, refs: values.venue, linked: links.venue })
  const organizer = await readLinked(lookups.organizer, { ...linking, refs: values.organizer, linked: links.organizer })
  if (venue.problem === 'refused') refuse('venue', 'bad_linked')
  if (organizer.problem === 'refused') refuse('organizer', 'bad_linked')
  const orphaned = await parentProblem(reader, { caller, parent: values.post_parent, self: stored?.id })
  if (orphaned !== undefined) refuse('post_parent', orphaned)
  return {
    change: {
      values: image === 'refused' ? values : withImage(values, image),
      venue: venue.targets,
      organizer: organizer.targets,
      times: times && { over: stored, times },
    },
    makesTerms: terms.includes('new'),
    blank: blankOf(venue.problem, organizer.problem),
  }
}

function blankOf(venue: string | undefined, organizer: string | undefined): ResolvedChange['blank'] {
  if (venue === 'blank') return 'could-not-create-venue'
  return organizer === 'blank' ? 'could-not-create-organizer' : undefined
}

function checkTimes(
  { values, stored, refusals }: { values: EventValues; stored: EventRow | undefined; refusals: Refusal[] },
  site: Site,
): EventTimes | undefined {
  const times = resolveTimes(stored, values, site.zone)
  const known = !times.ok && refusals.some((one) => one.name === times.name)
  if (!times.ok && !known && times.reason !== 'empty')
    refusals.push({ name: times.name, code: 'rest_invalid_param', reason: times.reason })
  const zone = zoneOf(stored, values, site.zone)
  const sales = values.tickets ?? []
  const isWithinYears = areWithinYears(zone, sales)
  if (!isWithinYears || ticketsIn(zone, sales) === undefined)
    refusals.push({ name: 'tickets', code: 'rest_invalid_param', reason: isWithinYears ? 'bad_sale' : 'bad_tickets' })
  return times.ok ? times.times : undefined
}

interface TermCheck {
  readonly reader: Reader
  readonly refs: readonly TermRef[] | undefined
  refuse(): void
}

/** A JSON number must be a term; text that is none yet makes one. */
async function checkTerms(lookup: TermLookup, { reader, refs, refuse }: TermCheck): Promise<'new' | 'known'> {
  if (refs === undefined) return 'known'
  const ids = refs.filter((ref) => ref.by === 'id').map((ref) => ref.id)
  const known = await lookup.byIds(reader, ids)
  if (ids.some((id) => !known.some((term) => term.id === id))) refuse()
  const texts = refs.filter((ref) => ref.by === 'text').map((ref) => ref.text)
  const found = await lookup.find(reader, texts)
  return texts.some((text) => !found.has(text)) ? 'new' : 'known'
}

interface LinkedCheck {
  readonly reader: Reader
  readonly call: Call<EventValues>
  readonly site: Site
  readonly refs: readonly LinkedRef[] | undefined
  /** Ids that are linked already. */
  readonly linked: readonly number[]
}

interface LinkedAnswer<Draft> {
  readonly targets: readonly LinkTarget<Draft>[] | undefined
  readonly problem?: 'refused' | 'blank'
}

/** Items that the caller cannot see cannot be linked anew; those that are linked already may be named. */
async function readLinked<Row extends EntryColumns, Draft>(
  lookup: LinkedLookup<Row, Draft>,
  check: LinkedCheck,
): Promise<LinkedAnswer<Draft>> {
  if (check.refs === undefined) return { targets: undefined }
  const ids = check.refs.filter((ref) => ref.by === 'id').map((ref) => ref.id)
  const rows = await lookup.byIds(check.reader, ids)
  const targets: LinkTarget<Draft>[] = []
  for (const ref of check.refs) {
    if (ref.by === 'id') {
      const row = rows.get(ref.id)
      const usable = row !== undefined && (isShown(row, check.call) || check.linked.includes(ref.id))
      if (!usable) return { targets: [], problem: 'refused' }
      targets.push(ref)
      continue
    }
    const reading = await lookup.readInline(check.reader, ref.data, check.call)
    if (!reading.ok) return { targets: [], problem: reading.problem }
    targets.push({ by: 'data', draft: reading.draft, image: reading.image })
  }
  return { targets }
}

/** Whether the caller may make the sent user the author. @throws never: a permission, checked after validity */
export function isAuthorAllowed(call: Call<EventValues>): boolean {
  return call.values.author === undefined || maySetAuthor(call.caller, call.values.author)
}

/** The pictures that are to be fetched before a write, with the parameter that names each. */
export function wantedBy({ values, venue, organizer }: EventChange): readonly WantedPicture[] {
  const inline = (param: string, targets: readonly LinkTarget<unknown>[] | undefined): readonly WantedPicture[] =>
    (targets ?? []).flatMap((target) => (target.by === 'data' ? wantedPicture(param, target.image) : []))
  return [...wantedPicture('image', values.image), ...inline('venue', venue), ...inline('organizer', organizer)]
}

/** Ends a write whose inline data has no name. @throws could-not-create-venue, could-not-create-organizer */
export function refuseBlank(resolved: ResolvedChange): void {
  if (resolved.blank !== undefined) throw fail(resolved.blank)
}
