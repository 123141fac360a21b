import type { Status } from '../../model/status.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { SourceEventTable } from '../../storage/schema.ts'
import type { TableEntry } from '../csv-import/read-entries.ts'
import type { StoredIds } from '../json-import/import-events.ts'
import { type ImportParts, importPlan, ownerOf } from '../json-import/index.ts'
import type { Plan } from '../json-import/plan.ts'
import type { PlannedEvent } from '../json-import/planned.ts'
import { inParts, inSlices } from '../json-import/slices.ts'
import { planTerms } from '../json-import/term-tree.ts'
import type { ImportOptions, ImportReport, Skipped } from '../json-import/types.ts'
import type { LineProblem } from './components.ts'
import type { EventContent } from './content.ts'
import { EventMerging } from './merging.ts'
import { type CalendarParts, fetchCalendarPictures } from './pictures.ts'
import { planEntries } from './plan-entries.ts'
import { planEvent } from './plan-events.ts'
import { planNames, planOrganizers, planPlaces } from './plan-linked.ts'
import { eventsThere, saidOf } from './store.ts'
import type { SourceCalendarEvent } from './types.ts'

/** Events of a file that are to be imported. */
export interface CalendarContent {
  readonly file: string
  readonly events: readonly SourceCalendarEvent[]
  readonly problems: readonly LineProblem[]
  /** Venues and organizers that are to be imported as well; absent for none. */
  readonly entries?: readonly TableEntry[]
}

/** How the events of a file are imported. */
export interface CalendarImportOptions extends ImportOptions {
  /** Status of events that are new here. */
  readonly status: Status
  /** Names of categories that every event gets. */
  readonly categories: readonly string[]
  /** Whether nothing is stored. */
  readonly isDryRun?: boolean
  /** Source that they come from; 0 for a file. */
  readonly source?: number
  /** Whether the file says what only CSV can say. */
  readonly hasMore?: boolean
  /** Called in each transaction that stores events: what it throws undoes that and ends the import. */
  check?(tx: Transaction): Promise<void>
  /** Ends the fetching of pictures. */
  readonly ends?: AbortSignal
}

/** What an import did. */
export interface CalendarReport extends ImportReport {
  /** What stays although the file says something else, because it was changed here; `[]` for nothing. */
  readonly kept: readonly Skipped[]
}

/**
 * What an import did, and how much another one of the same calendar may bring: pictures whose servers did not answer, or when
 * this one was too busy, and events whose venue is taken.
 */
export interface ImportedCalendar extends CalendarReport {
  readonly later: number
}

/** Imports events of a file, each once: the last one counts. */
export async function importCalendar(
  parts: CalendarParts,
  { file, events, problems, entries = [] }: CalendarContent,
  options: CalendarImportOptions,
): Promise<ImportedCalendar> {
  const { status, categories, isDryRun = false, source = 0, hasMore = false } = options
  const owner = await ownerOf(parts, options.author)
  const planned = new Map<string, PlannedEvent>()
  for await (const event of inSlices(events)) {
    const one = planEvent(event, { file, site: parts.site, status, categories })
    planned.set(one.identity.globalId, one)
  }
  const { storage } = parts
  const said = await saidOf(storage, [...planned.keys()])
  const left = source === 0 ? [] : await notOurs(storage, { said, source, planned, file })
  const merging = new EventMerging({ said, source, hasMore, check: options.check })
  const linked = await planLinked(parts, { file, events, categories })
  const listed = await planEntries(storage, { entries, file, host: parts.site.host })
  const wanted = [...planned.values()]
  const pictures = isDryRun ? undefined : await fetchCalendarPictures({ ...parts, owner, ends: options.ends }, wanted)
  const plan: Plan = {
    ...linked.plan,
    venues: new Map([...linked.plan.venues, ...listed.venues]),
    organizers: new Map([...linked.plan.organizers, ...listed.organizers]),
    events: wanted,
    skipped: [...problems.map((one) => skippedAt(file, one)), ...left, ...(pictures?.skipped ?? [])],
  }
  const { known } = linked
  const report = await importPlan(parts, { plan, owner, known, isDryRun, options, merging, pictures: pictures?.ids })
  const refused = report.skipped.filter(({ isForNow }) => isForNow === true)
  return { ...report, kept: merging.kept, later: (pictures?.later ?? 0) + refused.length }
}

/** Takes out what another source brings, and what was deleted here for good. */
async function notOurs(
  reader: Reader,
  given: {
    readonly said: readonly SourceEventTable[]
    readonly source: number
    readonly planned: Map<string, PlannedEvent>
    readonly file: string
  },
): Promise<Skipped[]> {
  const { said, source, planned, file } = given
  const ids = await eventsThere(
    reader,
    said.map(({ id }) => id),
  )
  return said.flatMap(({ id, name, source_id }) => {
    const isOther = source_id !== 0 && source_id !== source
    if (!isOther && ids.has(id)) return []
    planned.delete(name)
    return { what: `${file}: ${name}`, why: isOther ? 'another source brings it' : 'it was deleted here' }
  })
}

/** What the events name: terms, places and organizers. */
async function planLinked(
  { storage, lookups }: ImportParts,
  given: {
    readonly file: string
    readonly events: readonly SourceCalendarEvent[]
    readonly categories: readonly string[]
  },
): Promise<{ readonly plan: Omit<Plan, 'events' | 'skipped'>; readonly known: StoredIds }> {
  const { file, events, categories } = given
  const contents: EventContent[] = []
  const names = { category: new Set(categories), tag: new Set<string>() }
  for await (const part of inParts(events, 500))
    for (const { content: own, exceptions } of part)
      for (const content of [own, ...exceptions.map((one) => one.content)]) {
        if (content === undefined) continue
        contents.push(content)
        for (const name of content.categories) names.category.add(name)
        for (const name of content.tags) names.tag.add(name)
      }
  const named = (key: 'category' | 'tag') =>
    planNames(storage, { key, lookup: lookups[key], names: [...names[key]], file })
  const category = await named('category')
  const tag = await named('tag')
  const places = await planPlaces(storage, { contents, file })
  const organizers = await planOrganizers(storage, { contents, file })
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
  }
}

function skippedAt(file: string, { line, why }: LineProblem): Skipped {
  return { what: `${file}: line ${line}`, why }
}
