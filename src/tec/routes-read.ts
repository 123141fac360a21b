import type { EventRow, PresentedEvent } from '../calendar/events/index.ts'
import { eventsByIds, findEvent, freshnessWith, PASSWORD_FIELD } from '../calendar/events/index.ts'
import type { LinkedRow } from '../calendar/shared/linked/row.ts'
import { renamedRefusal } from '../http/params.ts'
import { SPOKEN } from '../http/response/http-response.ts'
import { type AnyRoute, type Call, type Freshness, type InvalidParam, route } from '../http/route.ts'
import type { ValuesOf } from '../model/kinds/field.ts'
import { RESOURCES } from '../model/resource.ts'
import { EVENT_LIST_FIELDS } from './fields.ts'
import { eventKind, linkedKinds, type TecDeps, type TecLinkedKind } from './items.ts'
import { arrayReply, pageOf } from './lists.ts'
import { eventValues, type LinkedFields, linkedValues, OWN_NAMES } from './map.ts'
import { nextChange, presentEvent } from './present/event.ts'
import { innerRoute, itemLike, listLike } from './reading.ts'
import { readableItem, requireReadable } from './refuse.ts'

/** The routes that read. */
export function readRoutes(deps: TecDeps): AnyRoute[] {
  return [...eventRoutes(deps), ...linkedKinds(deps).flatMap((kind) => linkedRoutes(deps, kind))]
}

function eventRoutes(deps: TecDeps): AnyRoute[] {
  const { storage, site } = deps
  const kind = eventKind(deps)
  // Without dates a list has the past as well.
  const events = deps.events.queries(() => ({}))
  const present = (event: PresentedEvent, call: Call<unknown>) => presentEvent(event, { ...call, site })
  return [
    route({
      ...listLike(innerRoute(kind, 'GET', false), kind.schema),
      fields: EVENT_LIST_FIELDS,
      resolve: async (call, _item, refusals) => events.resolveList({ ...call, values: eventValues(call) }, refusals),
      handle: async (call, _item, resolved) => {
        const asked = { ...call, values: eventValues(call) }
        const paging = pageOf(call, site)
        const { ids, freshness, ...page } = await events.page(asked, { resolved, paging })
        const shown = await events.shown(asked, await eventsByIds(storage, ids))
        const used = shown.flatMap(({ dependencies }) => dependencies)
        const reply = arrayReply(call, {
          ...{ total: page.total, secret: page.secret ?? false, paging, path: '/events' },
          items: shown.map((event) => present(event, call)),
          freshness: changing(freshnessWith(freshness, used), shown, call.now),
        })
        return { ...reply, headers: { ...reply.headers, ...SPOKEN } }
      },
    }),
    route({
      ...itemLike(innerRoute(kind, 'GET'), kind.schema),
      fields: [PASSWORD_FIELD],
      target: (call) => readableItem(call, (id) => findEvent(storage, { by: 'id', id })),
      permit: (call, row) => requireReadable(call, row),
      handle: async (call, row: EventRow | undefined) => {
        const [event] = row === undefined ? [] : await events.shown(call, [row])
        if (event === undefined) throw new Error('an unreadable event was not refused')
        const { dependencies, version } = event
        const freshness = changing({ dependencies }, [event], call.now)
        const secret = event.row.password_hash !== null
        return { status: 200, body: present(event, call), headers: SPOKEN, secret, freshness, version }
      },
    }),
  ]
}

/** How long a response with events lasts that says which of them are past or take place now. */
function changing(
  freshness: Freshness | undefined,
  shown: readonly PresentedEvent[],
  now: number,
): Freshness | undefined {
  if (freshness === undefined) return undefined
  const changes = shown.flatMap(({ row }) => nextChange(row, now) ?? [])
  const until = Math.min(freshness.until ?? Number.POSITIVE_INFINITY, ...changes)
  return until === Number.POSITIVE_INFINITY ? freshness : { ...freshness, until }
}

function linkedRoutes({ site }: TecDeps, kind: TecLinkedKind): AnyRoute[] {
  const { key, fields, queries, present } = kind
  const asked = (call: Call<ValuesOf<LinkedFields>>) => ({ ...call, values: linkedValues(call) })
  return [
    route({
      ...listLike(innerRoute(kind, 'GET', false), kind.schema),
      fields,
      resolve: async (call, _item, refusals) => {
        const refused: InvalidParam[] = []
        const query = await queries.resolveList(asked(call), refused)
        refusals.push(...refused.map((one) => renamedRefusal(one, (name) => OWN_NAMES.get(name) ?? name)))
        return query
      },
      handle: async (call, _item, query) => {
        const paging = pageOf(call, site)
        const { items, ...page } = await queries.page(call, { query, paging })
        const shown = items.map((item) => present(item, call))
        const path = `/${RESOURCES[key].collection}`
        return arrayReply(call, { ...page, items: shown, paging, path })
      },
    }),
    route({
      ...itemLike(innerRoute(kind, 'GET'), kind.schema),
      fields: [],
      target: (call) => readableItem(call, queries.find),
      permit: (call, row) => requireReadable(call, row),
      handle: async (call, row: LinkedRow | undefined) => {
        if (row === undefined) throw new Error('an unreadable item was not refused')
        const { shown, ...validity } = await queries.shown(call, row)
        return { status: 200, body: present(shown, call), ...validity }
      },
    }),
  ]
}
