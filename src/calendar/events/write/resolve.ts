import { MOST_DATES } from '../../../base/time/recurrence/lines.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import type { Caller } from '../../../http/auth/rights.ts'
import type { Call, InvalidParam } from '../../../http/route.ts'
import type { EventValues } from '../../../model/event.ts'
import type { Reason } from '../../../model/kinds/kind.ts'
import type { LinkedRef } from '../../../model/kinds/linked.ts'
import type { TermRef } from '../../../model/kinds/term-list.ts'
import { areWithinYears, ticketsIn } from '../../../model/kinds/tickets.ts'
import type { Site } from '../../../model/site.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EntryColumns } from '../../../storage/schema.ts'
import { type EventRow, isPlain, linksOf, NO_LINKS, sourceOf } from '../../event-store/event-row.ts'
import { type Images, withChosenImage } from '../../shared/image.ts'
import type { LinkedLookup } from '../../shared/linked/lookup.ts'
import type { TermLookup } from '../../terms/index.ts'
import { checkingSteps } from '../series/dates.ts'
import { isShown, type Lookups } from '../show/load.ts'
import { parentProblem } from './parent.ts'
import { type EventTimes, resolveTimes, zoneOf } from './rules.ts'
import type { EventChange, LinkTarget } from './writing.ts'

/** What resolving a write needs. */
export interface ResolveContext {
  readonly reader: Reader
  readonly site: Site
  readonly lookups: Lookups
  /** Whether a user with this ID exists. */
  isUser(id: number): Promise<boolean>
  readonly pictures: Images
  /** Years for which the dates of rules without end are held. */
  readonly recurrenceYears: number
}

/** A resolved write, and what its permission turns on. */
export interface ResolvedChange {
  readonly change: EventChange
  /** Whether it names terms that do not exist yet. */
  readonly makesTerms: boolean
  /** How many dates the recurrence gives that it sends; 0 without one. */
  readonly dates: number
  /** Error code if the write is otherwise in order: inline data with an empty name. */
  readonly blank: 'could-not-create-venue' | 'could-not-create-organizer' | undefined
}

/** Looks up what the values of a write refer to, and refuses what does not exist. */
export async function resolveChange(
  resolving: ResolveContext,
  call: Call<EventValues>,
  { stored, refusals }: { readonly stored: EventRow | undefined; readonly refusals: InvalidParam[] },
): Promise<ResolvedChange> {
  const { values } = call
  const { lookups, reader } = resolving
  const isLinking = stored !== undefined && (values.venue !== undefined || values.organizer !== undefined)
  const links = isLinking ? ((await linksOf(reader, [sourceOf(stored)])).get(sourceOf(stored)) ?? NO_LINKS) : NO_LINKS
  const refuse = (name: string, reason: InvalidParam['reason']): void =>
    void refusals.push({ name, code: 'rest_invalid_param', reason })

  if (values.author !== undefined && !(await resolving.isUser(values.author))) refuse('author', 'unknown_user')
  const times = checkTimes({ values, stored, refusals }, resolving.site)
  const dates = await checkRecurrence(resolving, call, { stored, times, refusals })
  const { caller } = call
  const { image } = values
  const choosing = { values, row: stored, caller, pictures: resolving.pictures }
  const chosen = image === undefined ? values : await withChosenImage(reader, { image, ...choosing })
  if (chosen === 'refused') refuse('image', 'bad_image')
  const category = await resolveTerms(lookups.category, { reader, caller, refs: values.categories })
  const tag = await resolveTerms(lookups.tag, { reader, caller, refs: values.tags })
  if (category === 'unknown') refuse('categories', 'bad_term')
  if (tag === 'unknown') refuse('tags', 'bad_term')
  const terms = { category: category === 'unknown' ? [] : category, tag: tag === 'unknown' ? [] : tag }
  const linking = { reader, call, site: resolving.site }
  const venue = await readLinked(lookups.venue, { ...linking, refs: values.venue, linked: links.venue })
  const organizer = await readLinked(lookups.organizer, { ...linking, refs: values.organizer, linked: links.organizer })
  if (venue.problem === 'refused') refuse('venue', 'bad_linked')
  if (organizer.problem === 'refused') refuse('organizer', 'bad_linked')
  const { post_parent: parent = 0 } = values
  const orphaned = parent === 0 ? undefined : await parentProblem(reader, { caller, parent, self: stored?.id })
  if (orphaned !== undefined) refuse('post_parent', orphaned)
  return {
    change: {
      values: chosen === 'refused' ? values : chosen,
      venue: venue.targets,
      organizer: organizer.targets,
      ...terms,
      times: times && { over: stored, times },
    },
    dates,
    makesTerms: [...(terms.category ?? []), ...(terms.tag ?? [])].some(({ by }) => by === 'text'),
    blank: blankOf(venue.problem, organizer.problem),
  }
}

function blankOf(venue: string | undefined, organizer: string | undefined): ResolvedChange['blank'] {
  if (venue === 'blank') return 'could-not-create-venue'
  return organizer === 'blank' ? 'could-not-create-organizer' : undefined
}

function checkTimes(
  { values, stored, refusals }: { values: EventValues; stored: EventRow | undefined; refusals: InvalidParam[] },
  site: Site,
): EventTimes | undefined {
  const times = resolveTimes(stored, values, site.zone)
  const known = !times.ok && refusals.some((one) => one.name === times.name)
  if (!times.ok && !known && times.reason !== 'empty')
    refusals.push({ name: times.name, code: 'rest_invalid_param', reason: times.reason })
  if (values.tickets !== undefined) {
    const problem = problemOfTickets(values.tickets, zoneOf(stored, values, site.zone))
    if (problem !== undefined) refusals.push({ name: 'tickets', code: 'rest_invalid_param', reason: problem })
  }
  return times.ok ? times.times : undefined
}

function problemOfTickets(tickets: NonNullable<EventValues['tickets']>, zone: string): Reason | undefined {
  if (!areWithinYears(zone, tickets)) return 'bad_tickets'
  return ticketsIn(zone, tickets) === undefined ? 'bad_sale' : undefined
}

/** How many dates the lines give that were sent; what is wrong with those of a series is found inside the write. */
async function checkRecurrence(
  { reader, recurrenceYears }: ResolveContext,
  { values: { recurrence: lines = [] }, now }: Call<EventValues>,
  {
    stored,
    times,
    refusals,
  }: { stored: EventRow | undefined; times: EventTimes | undefined; refusals: InvalidParam[] },
): Promise<number> {
  if (lines.length === 0 || times === undefined) return 0
  const held = await inSteps(checkingSteps(times, lines, { now, recurrenceYears }), () => reader.pause())
  if (held.ok) return held.starts.length
  if (stored !== undefined && !isPlain(stored)) return MOST_DATES
  const detail = `${held.problem.part} ${held.problem.reason}`
  refusals.push({ name: 'recurrence', code: 'rest_invalid_param', reason: 'bad_recurrence', detail })
  return 0
}

interface NamedTerms {
  readonly reader: Reader
  readonly caller: Caller
  readonly refs: readonly TermRef[] | undefined
}

/**
 * The terms that were named, those that exist by ID; a JSON number must be one, text that is none yet makes one. Terms that
 * the caller may not see are as those that do not exist.
 */
async function resolveTerms(
  lookup: TermLookup,
  { reader, caller, refs }: NamedTerms,
): Promise<readonly TermRef[] | undefined | 'unknown'> {
  if (refs === undefined) return undefined
  const ids = refs.flatMap((ref) => (ref.by === 'id' ? [ref.id] : []))
  const known = (await lookup.byIds(reader, ids)).map((term) => term.id)
  const texts = refs.flatMap((ref) => (ref.by === 'text' ? [ref.text] : []))
  const found = await lookup.find(reader, texts)
  const seen = await lookup.seenBy(reader, [...new Set([...known, ...found.values()])], caller)
  if (ids.some((id) => !seen.has(id))) return 'unknown'
  return refs.map((ref) => {
    const id = ref.by === 'text' ? found.get(ref.text) : ref.id
    return id === undefined || !seen.has(id) ? ref : { by: 'id', id }
  })
}

interface LinkedCheck {
  readonly reader: Reader
  readonly call: Call<EventValues>
  readonly site: Site
  readonly refs: readonly LinkedRef[] | undefined
  /** IDs that are linked already. */
  readonly linked: readonly number[]
}

interface LinkedResult<Draft> {
  readonly targets: readonly LinkTarget<Draft>[] | undefined
  readonly problem?: 'refused' | 'blank'
}

/** Items that the caller cannot see cannot be linked again; those that are linked already may be named. */
async function readLinked<Row extends EntryColumns, Draft>(
  lookup: LinkedLookup<Row, Draft>,
  check: LinkedCheck,
): Promise<LinkedResult<Draft>> {
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
