import type { Dependency } from '../../http/cache/versions.ts'
import type { Paging } from '../../http/paging.ts'
import type { Selector } from '../../http/resource.ts'
import type { ItemVersion } from '../../http/route/preconditions.ts'
import type { Call, InvalidParam, Reply } from '../../http/route.ts'
import type { EventRow } from '../event-store/event-row.ts'
import { eventsByIds } from '../event-store/rows.ts'
import { type FilePart, type FileSeries, filePartsOf } from '../event-store/series/file-parts.ts'
import type { Viewer } from '../shared/viewer.ts'
import { briefsOf, type EventBrief } from './list/briefs.ts'
import type { EventListValues } from './list/filters.ts'
import { type ListedMoments, momentsOf } from './list/moments.ts'
import { type ListDeps, type ListedPage, listedPage, type ResolvedList, resolveEventList } from './list/request.ts'
import { sizesOf } from './list/sizes.ts'
import { idsInPages, type WholeList } from './list/whole-list.ts'
import { isOpen, openedBy, presentEvents } from './show/load.ts'
import { findOrFail, openOrFail } from './show/reading.ts'
import { type WholeSeries, wholeSeries } from './show/whole-series.ts'
import { type EventWithRelations, loadWithRelations } from './show/with-relations.ts'

/** The schema.org data of an event, and what it was made of. */
export interface EventJsonLd {
  readonly jsonLd: unknown
  readonly dependencies: readonly Dependency[]
}

/** An event as lists of the interface show it to a caller, and what that was made of. */
export interface PresentedEvent {
  readonly row: EventRow
  readonly shown: Readonly<Record<string, unknown>>
  /** Whether a password hides its content from this caller. */
  readonly isLocked: boolean
  readonly dependencies: readonly Dependency[]
  readonly version: ItemVersion
}

/** Events for responses in other forms than the interface's own: with its filters, rights and refusals. */
export interface EventQueries {
  /** As for the list of the interface. */
  resolveList(call: Call<EventListValues>, refusals: InvalidParam[]): Promise<ResolvedList>
  /** One page of a list: the IDs of its events, and what its response says. */
  page(
    call: Call<EventListValues>,
    asked: { readonly resolved: ResolvedList; readonly paging: Paging },
  ): Promise<ListedPage>
  /** The IDs of a whole list in its order, each once: each page is read when it is asked for. */
  pages(call: Call<EventListValues>, list: WholeList): AsyncIterable<readonly number[]>
  /** When the events with these IDs take place, in their order. */
  moments(ids: readonly number[]): Promise<readonly ListedMoments[]>
  /** Bytes of the descriptions of events and dates, by their IDs. */
  sizes(ids: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** What a calendar with hundreds of events names of them, as far as this caller sees it, in the order of the IDs. */
  briefs(viewer: Pick<Call<unknown>, 'caller' | 'urls'>, ids: readonly number[]): Promise<readonly EventBrief[]>
  /** The events of a page, as far as this caller sees them; IDs without an event are left out. */
  events(call: Call<EventListValues>, ids: readonly number[]): Promise<readonly EventWithRelations[]>
  /** Stored events as lists of the interface show them to this caller, who may read them; wrong passwords count as guesses. */
  shown(
    call: Call<{ readonly password?: string | undefined }>,
    rows: readonly EventRow[],
  ): Promise<readonly PresentedEvent[]>
  /** How a file shows listed events: recurring ones whole where it can; `known` is what the file has of them already. */
  fileParts(ids: readonly number[], known?: FileSeries): Promise<readonly FilePart[]>
  /** Recurring events with their exceptions, as far as this caller sees them; IDs without an event are left out. */
  series(
    call: Call<{ readonly password?: string | undefined }>,
    ids: readonly number[],
  ): Promise<readonly WholeSeries[]>
  /** The events with these IDs as someone sees them who has sent no password. */
  seen(viewer: Pick<Call<unknown>, 'caller' | 'urls'>, ids: readonly number[]): Promise<readonly EventWithRelations[]>
  /** The schema.org data of events that anyone may read whole; the others and IDs without an event are left out. */
  jsonLd(call: Call<EventListValues>, ids: readonly number[]): Promise<readonly EventJsonLd[]>
  /** @throws rest-event-not-found */
  find(selector: Selector): Promise<EventRow | undefined>
  /** An event that this caller may read, and for how long and whom. @throws event-password-protected */
  read(
    call: Call<{ readonly password?: string }>,
    row: EventRow,
  ): Promise<{ readonly event: EventWithRelations } & Required<Pick<Reply, 'secret' | 'freshness'>>>
}

/** Opens the queries of the events module. */
export function eventQueries(deps: ListDeps): EventQueries {
  const { reader, lookups, site } = deps
  const viewerOf = ({ caller, urls, tries }: Call<unknown>) => ({ caller, urls, site, tries })
  return {
    resolveList: (call, refusals) => resolveEventList(deps, call, refusals),
    page: (call, asked) => listedPage(deps, call, asked),
    pages: (call, list) => idsInPages(reader, call, list),
    moments: (ids) => momentsOf(reader, ids),
    sizes: (ids) => sizesOf(reader, ids),
    briefs: ({ caller, urls }, ids) => briefsOf(reader, lookups, { ids, viewer: { caller, urls, site } }),
    events: async (call, ids) => {
      const rows = await eventsByIds(reader, ids)
      const opened = await openedBy(call.values.password, rows, call.tries)
      return loadWithRelations(reader, lookups, { rows, viewer: viewerOf(call), opened })
    },
    shown: (call, rows) => shownEvents(deps, call, { rows, viewer: { ...viewerOf(call), language: call.language } }),
    fileParts: (ids, known) => filePartsOf(reader, ids, known),
    series: (call, ids) =>
      wholeSeries({ reader, lookups }, ids, { viewer: viewerOf(call), password: call.values.password }),
    seen: async ({ caller, urls }, ids) => {
      const rows = await eventsByIds(reader, ids)
      return loadWithRelations(reader, lookups, { rows, viewer: { caller, urls, site }, opened: new Set() })
    },
    jsonLd: async (call, ids) => {
      const rows = await eventsByIds(reader, ids)
      const used = new Map<number, Dependency[]>()
      const showing = { viewer: viewerOf(call), withJsonLd: true, opened: new Set<number>(), used }
      const shown = await presentEvents(reader, lookups, { rows, showing })
      return rows.flatMap(({ id }, index) => {
        const { json_ld: jsonLd } = shown[index] ?? {}
        return jsonLd === undefined ? [] : [{ jsonLd, dependencies: used.get(id) ?? [] }]
      })
    },
    find: (selector) => findOrFail(reader, selector),
    read: async (call, row) => {
      const viewer = viewerOf(call)
      const opened = await openOrFail(row, viewer, call.values.password)
      const [event] = await loadWithRelations(reader, lookups, { rows: [row], viewer, opened })
      if (event === undefined) throw new Error(`event ${row.id} was not read`)
      return { event, secret: row.password_hash !== null, freshness: { dependencies: event.dependencies } }
    },
  }
}

async function shownEvents(
  { reader, lookups }: ListDeps,
  call: Call<{ readonly password?: string | undefined }>,
  { rows, viewer }: { readonly rows: readonly EventRow[]; readonly viewer: Viewer },
): Promise<readonly PresentedEvent[]> {
  const opened = await openedBy(call.values.password, rows, call.tries)
  const used = new Map<number, Dependency[]>()
  const versions = new Map<number, ItemVersion>()
  const all = await presentEvents(reader, lookups, {
    rows,
    showing: { viewer, withJsonLd: false, opened, used, versions },
  })
  return rows.flatMap((row, index) => {
    const [shown, version] = [all[index], versions.get(row.id)]
    if (shown === undefined || version === undefined) return []
    return [{ row, shown, isLocked: !isOpen(row, viewer, opened), dependencies: used.get(row.id) ?? [], version }]
  })
}
