import type { EventRow } from '../event-store/event-row.ts'
import { eventsByIds } from '../event-store/rows.ts'
import type { Paging } from '../http/pages.ts'
import type { Selector } from '../http/resource.ts'
import type { Call, Refusal, Reply } from '../http/route.ts'
import type { EventListValues } from './list/filters.ts'
import { type ListedPage, type ListParts, listedPage, type ResolvedList, resolveEventList } from './list/request.ts'
import { openedBy } from './show/load.ts'
import { findOrFail, openOrFail } from './show/reading.ts'
import { type EventWithRelations, loadWithRelations } from './show/with-relations.ts'

/** Events for answers in other forms than the interface's own: with its filters, rights and refusals. */
export interface EventQueries {
  /** As for the list of the interface. */
  resolveList(call: Call<EventListValues>, refusals: Refusal[]): Promise<ResolvedList>
  /** One page of a list: the ids of its events, and what its answer says. */
  page(
    call: Call<EventListValues>,
    asked: { readonly resolved: ResolvedList; readonly paging: Paging },
  ): Promise<ListedPage>
  /** The events of a page, as far as this caller sees them; ids without an event are left out. */
  events(call: Call<EventListValues>, ids: readonly number[]): Promise<readonly EventWithRelations[]>
  /** @throws rest-event-not-found */
  find(selector: Selector): Promise<EventRow | undefined>
  /** An event that this caller may read, and for how long and whom. @throws event-password-protected */
  read(
    call: Call<{ readonly password?: string }>,
    row: EventRow,
  ): Promise<{ readonly event: EventWithRelations } & Required<Pick<Reply, 'secret' | 'lasting'>>>
}

/** Opens the queries of the events room. */
export function eventQueries(parts: ListParts): EventQueries {
  const { reader, lookups, site } = parts
  const viewerOf = ({ caller, urls, tries }: Call<unknown>) => ({ caller, urls, site, tries })
  return {
    resolveList: (call, refusals) => resolveEventList(parts, call, refusals),
    page: (call, asked) => listedPage(parts, call, asked),
    events: async (call, ids) => {
      const rows = await eventsByIds(reader, ids)
      const opened = await openedBy(call.values.password, rows, call.tries)
      return loadWithRelations(reader, lookups, { rows, viewer: viewerOf(call), opened })
    },
    find: (selector) => findOrFail(reader, selector),
    read: async (call, row) => {
      const viewer = viewerOf(call)
      const opened = await openOrFail(row, viewer, call.values.password)
      const [event] = await loadWithRelations(reader, lookups, { rows: [row], viewer, opened })
      if (event === undefined) throw new Error(`event ${row.id} was not read`)
      return { event, secret: row.password_hash !== null, lasting: { parts: event.parts } }
    },
  }
}
