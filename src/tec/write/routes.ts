import { Failure } from '../../base/errors.ts'
import { isOut } from '../../calendar/event-store/series/shown.ts'
import { type EventQueries, type EventRow, findEvent, PASSWORD_FIELD, UNKNOWN_ID } from '../../calendar/events/index.ts'
import { type Prepared, prepare } from '../../http/dispatch.ts'
import type { KeyedReply } from '../../http/idempotency/keyed-request.ts'
import type { NamedSchema } from '../../http/openapi/parts.ts'
import type { AnyRoute, Call, Found, InvalidParam, Reply } from '../../http/route.ts'
import { type EntryKey, RESOURCES } from '../../model/resource.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import type { TecDeps } from '../deps.ts'
import type { Members } from '../present/common.ts'
import { type EventToShow, presentEvent } from '../present/event.ts'
import { presentOrganizer, presentVenue } from '../present/linked.ts'
import { readableItem, requireReadable } from '../refuse.ts'
import { EVENT, NOTHING_LEFT, ORGANIZER, VENUE } from '../schema.ts'
import { isAboutParameters, renamed, type TranslatedBody, translated } from './body.ts'
import { DURATION, EVENT_MEMBERS, fieldsOf, ORGANIZER_MEMBERS, VENUE_MEMBERS, type WriteMember } from './fields.ts'
import { withTimes } from './times.ts'

/*
 * Writes of this namespace are writes of the interface: what was sent is translated, the stages of the interface's route
 * run, and the item that they return is shown as here.
 */

type Row = Pick<EntryColumns, 'author_id' | 'status'>

/** A kind of items that is written here. */
interface Kind {
  readonly key: EntryKey
  /** As the documents have it. */
  readonly schema: NamedSchema
  readonly members: readonly WriteMember[]
  /** The routes of the interface. */
  readonly routes: readonly AnyRoute[]
  find(id: number): Promise<Row | undefined>
  /** What the interface returned to a writer. */
  present(written: Members, call: Call): Members
  /** What GET answers this caller for an item now; undefined where that is what the interface shows. */
  shown?(call: Call, row: Row): Promise<Members>
}

/** The routes that create, change and delete items. */
export function writeRoutes(deps: TecDeps): AnyRoute[] {
  const kinds: readonly Kind[] = [
    eventKind(deps),
    {
      ...{ key: 'venue', schema: VENUE, members: VENUE_MEMBERS, routes: deps.venues.widerRoutes },
      find: deps.venues.queries().find,
      present: (written, { urls }) => presentVenue(written, urls),
    },
    {
      ...{ key: 'organizer', schema: ORGANIZER, members: ORGANIZER_MEMBERS, routes: deps.organizers.widerRoutes },
      find: deps.organizers.queries().find,
      present: (written, { urls }) => presentOrganizer(written, urls),
    },
  ]
  return kinds.flatMap((kind) => [
    createRoute(kind),
    updateRoute(kind, 'PUT'),
    updateRoute(kind, 'PATCH'),
    removeRoute(kind),
  ])
}

function eventKind({ storage, site, events }: TecDeps): Kind {
  const queries: EventQueries = events.queries()
  const show = (event: EventToShow, { urls, language, now }: Call) => presentEvent(event, { urls, language, now, site })
  return {
    ...{ key: 'event', schema: EVENT, members: EVENT_MEMBERS, routes: events.routes },
    find: (id) => findEvent(storage, { by: 'id', id }),
    present: (written, call) => show(eventOf(written), call),
    shown: async (call, row) => {
      const [event] = await queries.shown({ ...call, values: {} }, [row as EventRow])
      if (event === undefined) return {}
      const { status, ...others } = show(event, call)
      // A first date that was taken out shows the status of its series: sending that restores it.
      return isOutOfSeries(event.row) ? others : { ...others, status }
    },
  }
}

/** Whether a date was taken out of its series. */
function isOutOfSeries({ occasion }: Pick<EventRow, 'occasion'>): boolean {
  return occasion !== undefined && isOut(occasion.date)
}

/** An event that was written: whoever may write it sees all of it. */
function eventOf(shown: Members): EventToShow {
  const text = (name: string): string => String(shown[name])
  return {
    shown,
    isLocked: false,
    row: {
      id: Number(shown['id']),
      start_local: text('start_date'),
      end_local: text('end_date'),
      start_utc: text('utc_start_date'),
      end_utc: text('utc_end_date'),
      timezone: text('timezone'),
      all_day: shown['all_day'] === true ? 1 : 0,
      password_hash: shown['has_password'] === true ? '' : null,
    },
  }
}

/** The route of the interface that does the work. */
function innerRoute({ key, routes }: Kind, method: AnyRoute['method']): AnyRoute {
  const path = `/${RESOURCES[key].collection}${method === 'POST' ? '' : '/:id'}`
  const found = routes.find((one) => one.method === method && one.path === path)
  if (found === undefined) throw new Error(`there is no ${method} ${path}`)
  return found
}

/** What the stages of the interface have found, and what they were given. */
interface Translation {
  readonly body: TranslatedBody
  readonly prepared: Prepared
}

function createRoute(kind: Kind): AnyRoute {
  const inner = innerRoute(kind, 'POST')
  return {
    ...writing(kind, inner),
    ...changing(kind, inner, ({ values }) => ({ status: 'publish', ...values })),
    operation: `create${kind.schema.name}`,
  }
}

function updateRoute(kind: Kind, method: 'PUT' | 'PATCH'): AnyRoute {
  const inner = innerRoute(kind, method)
  return {
    ...writing(kind, inner),
    ...changing(kind, inner, ({ values, sent }, row) =>
      isRestored(row as EventRow, Object.keys(sent)) ? { ...values, scope: 'this' } : values,
    ),
    operation: `${method === 'PUT' ? 'update' : 'patch'}${kind.schema.name}`,
    target: (call) => readable(kind, call),
    shown: async (call, row) =>
      kind.shown?.(call, row as Row) ?? kind.present((await inner.shown?.(call, row)) ?? {}, call),
  }
}

/** Whether a write with nothing but a status names a first date that was taken out: the status of the series is no news. */
function isRestored(row: Pick<EventRow, 'occasion'>, sent: readonly string[]): boolean {
  return isOutOfSeries(row) && sent.length === 1 && sent[0] === 'status'
}

/** The fields of a write, and what becomes of their values. */
function changing({ key, members }: Kind, inner: AnyRoute, valuesOf: (call: Call, item: unknown) => Members) {
  const isEvent = key === 'event'
  const fields = fieldsOf(members, inner.fields)
  return {
    fields: isEvent ? [...fields, DURATION] : fields,
    resolve: (call: Call, item: unknown, refusals: InvalidParam[]) => {
      const plain = translated(members, valuesOf(call, item))
      const change = { stored: item as EventRow | undefined, refusals }
      const body = isEvent ? withTimes(plain, call, change) : plain
      return prepared(inner, { call, body, members, refusals })
    },
  }
}

function removeRoute(kind: Kind): AnyRoute {
  const inner = innerRoute(kind, 'DELETE')
  return {
    ...writing({ ...kind, schema: NOTHING_LEFT }, inner),
    operation: `delete${kind.schema.name}`,
    fields: inner.fields.filter(({ name }) => name !== PASSWORD_FIELD.name),
    target: (call) => readable(kind, call),
    resolve: (call, _item, refusals) => {
      const body = { sent: call.sent, names: new Map() }
      return prepared(inner, { call, body, members: [], refusals })
    },
  }
}

/** What all routes that write have in common. */
function writing(kind: Kind, inner: AnyRoute): Omit<AnyRoute, 'operation' | 'fields'> {
  const { method, path, summary, description, group, pathFields, hasBody, scope } = inner
  return {
    ...{ method, path, summary, description, pathFields, hasBody },
    ...(group && { group }),
    ...(scope && { scope }),
    fillsDefaults: false,
    response: { status: inner.response.status, schema: kind.schema },
    errors: inner.errors.filter((code) => code !== UNKNOWN_ID),
    open: inner.open,
    rows: async (_call, _item, loaded) => (loaded as Translation).prepared.rows,
    handle: (call, _item, loaded) => written({ kind, inner, call }, loaded as Translation),
  }
}

/** The item that a path names, if this caller may read it. @throws rest_forbidden */
async function readable({ find }: Kind, call: Call): Promise<Found<unknown>> {
  const found = await readableItem(call, find)
  requireReadable(call, found.item)
  return found
}

/** A write in the words of the interface. */
interface Asked {
  readonly call: Call
  readonly body: TranslatedBody
  readonly members: readonly WriteMember[]
  /** What is refused here already. */
  readonly refusals: InvalidParam[]
}

/**
 * Runs all stages of the interface's route but the last; undefined where only what is refused here counts.
 * @throws Failure of the first that fails
 */
async function prepared(inner: AnyRoute, { call, body, ...refused }: Asked): Promise<Translation | undefined> {
  const { sent, names } = body
  try {
    return { body, prepared: await prepare(inner, { ...call, query: {}, body: sent, sent, values: {} }) }
  } catch (error) {
    const isLater = error instanceof Failure && error.status < 500 && !isAboutParameters(error)
    if (isLater && refused.refusals.length > 0) return undefined
    throw renamed(error, { names, ...refused, language: call.language })
  }
}

/** A write with the routes that it takes. */
interface Writing {
  readonly kind: Kind
  readonly inner: AnyRoute
  readonly call: Call
}

/** Writes, and shows what was written. */
async function written({ kind, inner, call }: Writing, { body, prepared }: Translation): Promise<Reply> {
  const { read, item, loaded } = prepared
  const { keyed, language } = call
  const shown = new Map<KeyedReply, Reply>()
  const show = (reply: Reply): Reply => {
    const known = shown.get(reply) ?? shownReply(kind, reply, call)
    shown.set(reply, known)
    return known
  }
  // What a repetition gets is stored inside the transaction, and has to be the reply that is returned here.
  const own = keyed && { ...keyed, responseOf: (reply: KeyedReply) => keyed.responseOf(show(reply as Reply)) }
  try {
    return show(await inner.handle({ ...read, keyed: own }, item, loaded))
  } catch (error) {
    throw renamed(error, { members: kind.members, names: body.names, refusals: [], language })
  }
}

function shownReply(kind: Kind, { status, body, headers, version }: Reply, call: Call): Reply {
  const further = headers && { headers }
  if (kind.schema === NOTHING_LEFT) return { status, body: [], ...further }
  const item = kind.present(body as Members, call)
  return { status, body: item, read: item, ...further, ...(version && { version }) }
}
