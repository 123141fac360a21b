import { utcFromMillis } from '../../../base/time/zones.ts'
import { MEDIA_PATH } from '../../../calendar/shared/stored-image.ts'
import type { Site } from '../../../model/site.ts'
import type { Status } from '../../../model/status.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import type { TableEntry } from '../readers/csv/read-entries.ts'
import type { LineProblem } from '../readers/icalendar/components.ts'
import type { EventContent } from '../readers/icalendar/content.ts'
import type { SourceCalendarEvent } from '../readers/icalendar/types.ts'
import { placeText } from '../readers/json/members.ts'
import { inParts, inSlices } from '../slices.ts'
import type { ImportOptions, ImportReport, Skipped } from '../types.ts'
import { type CalendarDeps, fetchCalendarImages } from './calendar-images.ts'
import type { StoredIds } from './import-events.ts'
import { type ImportDeps, importPlan, ownerOf, reportOf } from './import-items.ts'
import { type MatchedEvents, matchEvents } from './match.ts'
import { EventMerging } from './merging.ts'
import type { Plan } from './plan.ts'
import { planEntries } from './plan-entries.ts'
import { planEvent } from './plan-events.ts'
import { NAMED_ORGANIZERS, planLinked } from './plan-linked.ts'
import { planNames } from './plan-names.ts'
import { NAMED_PLACES } from './plan-places.ts'
import type { PlannedEvent } from './planned.ts'
import { PREVIEWED, type PreviewedEvent, previewOf } from './preview.ts'
import { idsThere, ownIdIn } from './store-origins.ts'
import { partsSaid } from './table-parts.ts'
import { planTerms } from './term-tree.ts'

/** Events of a file that are to be imported. */
export interface CalendarContent {
  readonly file: string
  /** Emptied once they are planned: of a large file they take much memory. */
  readonly events: SourceCalendarEvent[]
  readonly problems: readonly LineProblem[]
  /** Venues and organizers that are to be imported as well; absent for none. */
  readonly entries?: readonly TableEntry[]
  /** The fields that a table has columns for; absent for calendars. */
  readonly fields?: ReadonlySet<string> | undefined
}

/** How the events of a file are imported. */
export interface CalendarImportOptions extends ImportOptions {
  /** Status of events that are new here. */
  readonly status: Status
  /** Names of categories that every event gets. */
  readonly categories: readonly string[]
  /** Whether nothing is stored. */
  readonly isDryRun?: boolean
  /** Subscription that they come from; 0 for a file. */
  readonly subscription?: number
  /** Called in each transaction that stores events: what it throws undoes that and ends the import. */
  check?(tx: Transaction): Promise<void>
  /** Ends the fetching of images. */
  readonly ends?: AbortSignal
}

/** What an import did. */
export interface CalendarReport extends ImportReport {
  /** The first events as they would look, at most `PREVIEWED`; absent after an import. */
  readonly preview?: readonly PreviewedEvent[]
}

/**
 * What an import did, and how much another one of the same calendar may add: images whose servers did not answer, or when
 * this one was too busy, and events whose venue is taken.
 */
export interface ImportedCalendar extends CalendarReport {
  readonly later: number
  /** IDs of events that the file has under a new UID. */
  readonly renamed: ReadonlySet<number>
}

/** Imports events of a file, each once: the last one counts. */
export async function importCalendar(
  deps: CalendarDeps,
  { file, events, problems, entries = [], fields }: CalendarContent,
  options: CalendarImportOptions,
): Promise<ImportedCalendar> {
  const { status, categories, isDryRun = false, subscription = 0 } = options
  const owner = await ownerOf(deps, options.author)
  const { storage, site } = deps
  const linked = await planNamed(deps, { file, events, categories })
  const plan = (event: SourceCalendarEvent): PlannedEvent =>
    planEvent(event, { file, site, status, categories, same: linked.same })
  const at = utcFromMillis(deps.now())
  const matching = { events, plan, subscription, site, venues: linked.known.venue, at }
  const { planned, said, names, renamed } = await matchEvents(storage, matching)
  const first = isDryRun ? events.slice(0, PREVIEWED) : []
  events.length = 0
  const left = subscription === 0 ? [] : await notOurs(storage, { said, subscription, planned, file })
  if (fields !== undefined) left.push(...(await datesHere(storage, { planned, site })))
  const says = fields && partsSaid(categories.length > 0 ? new Set([...fields, 'categories']) : fields)
  const merging = new EventMerging({ said, names, subscription, says, site, check: options.check })
  const listed = await planEntries(storage, { entries, file, host: deps.site.host })
  const wanted = [...planned.values()]
  const strange = wanted.filter((one) => !showsOwnImage(one, site))
  const pictures = isDryRun ? undefined : await fetchCalendarImages({ ...deps, owner, ends: options.ends }, strange)
  const told = Object.groupBy(problems, (one) => (one.isNote === true ? 'notes' : 'skipped'))
  const whole: Plan = {
    ...linked.plan,
    venues: new Map([...linked.plan.venues, ...listed.venues]),
    organizers: new Map([...linked.plan.organizers, ...listed.organizers]),
    events: wanted,
    skipped: [...placed(file, told.skipped), ...left],
  }
  const { known } = linked
  const how = { owner, isDryRun, merging, pictures: pictures?.ids, onProgress: options.onProgress }
  const report = reportOf(await importPlan(deps, { plan: whole, known, ...how }))
  const refused = report.skipped.filter(({ isForNow }) => isForNow === true)
  const preview = first.map((event) => previewOf(plan(event), event.content))
  const later = (pictures?.later ?? 0) + refused.length
  const notes = [...placed(file, told.notes), ...report.notes, ...merging.kept, ...(pictures?.notes ?? [])]
  return { ...report, notes, ...(isDryRun && { preview }), later, renamed }
}

/** Removes events of another source, and those that were permanently deleted here. */
async function notOurs(
  reader: Reader,
  given: {
    readonly said: MatchedEvents['said']
    readonly subscription: number
    readonly planned: Map<string, PlannedEvent>
    readonly file: string
  },
): Promise<Skipped[]> {
  const { said, subscription, planned, file } = given
  const ids = await idsThere(
    reader,
    'event',
    [...said.values()].map(({ id }) => id),
  )
  return [...said].flatMap(([own, { id, name, subscription: from }]) => {
    const isOther = from !== 0 && from !== subscription
    if (!isOther && ids.has(id)) return []
    planned.delete(own)
    return { what: `${file}: ${name}`, why: isOther ? 'another subscription brings it' : 'it was deleted here' }
  })
}

/** Takes out what is a date of a recurring event here: a table has no recurrence, and would make a single event of it. */
async function datesHere(
  reader: Reader,
  { planned, site }: { readonly planned: Map<string, PlannedEvent>; readonly site: Site },
): Promise<Skipped[]> {
  const own = new Map<number, PlannedEvent>()
  for await (const event of inSlices(planned.values())) {
    const id = ownIdIn(event.identity.globalId, site.host)
    if (id !== undefined) own.set(id, event)
  }
  const dates = await idsThere(reader, 'series_date', [...own.keys()])
  return [...dates].flatMap((id) => {
    const event = own.get(id)
    if (event === undefined) return []
    planned.delete(event.identity.globalId)
    return [{ what: placeText(event.place), why: 'import.problem.dateOfSeries' }]
  })
}

/** Whether the image of an event that was exported from here lies here, too. */
function showsOwnImage(event: PlannedEvent, site: Site): boolean {
  const { imageAddress } = event.entry
  if (!imageAddress.includes(MEDIA_PATH) || ownIdIn(event.identity.globalId, site.host) === undefined) return false
  return URL.parse(imageAddress)?.hostname === site.host
}

/** What events name, and names that mean the same. */
interface PlannedLinks {
  readonly plan: Omit<Plan, 'events' | 'skipped'>
  readonly known: StoredIds
  readonly same: ReadonlyMap<string, string>
}

/** What the events name: terms, places and organizers. */
async function planNamed(
  { storage, lookups }: ImportDeps,
  given: {
    readonly file: string
    readonly events: readonly SourceCalendarEvent[]
    readonly categories: readonly string[]
  },
): Promise<PlannedLinks> {
  const { file, events, categories } = given
  const contents: EventContent[] = []
  const names = { category: new Set<string>(), tag: new Set<string>() }
  for await (const part of inParts(events))
    for (const { content: own, exceptions } of part)
      for (const content of [own, ...exceptions.map((one) => one.content)]) {
        if (content === undefined) continue
        contents.push(content)
        for (const name of content.categories) names.category.add(name)
        for (const name of content.tags) names.tag.add(name)
      }
  const named = (key: 'category' | 'tag', wished: readonly string[]) =>
    planNames(storage, { key, lookup: lookups[key], names: [...names[key]], wished, file })
  const category = await named('category', categories)
  const tag = await named('tag', [])
  const places = await planLinked(storage, NAMED_PLACES, { contents, file })
  const organizers = await planLinked(storage, NAMED_ORGANIZERS, { contents, file })
  return {
    plan: {
      terms: { category: planTerms(category.made), tag: planTerms(tag.made) },
      venues: places.made,
      organizers: organizers.made,
    },
    known: {
      event: new Map(),
      venue: places.known,
      organizer: organizers.known,
      category: category.known,
      tag: tag.known,
    },
    same: new Map([...places.same, ...organizers.same]),
  }
}

function placed(file: string, problems: readonly LineProblem[] = []): Skipped[] {
  return problems.map(({ line, why, title = '' }) => {
    return { what: `${file}: line ${line}`, why, ...(title !== '' && { title }) }
  })
}
