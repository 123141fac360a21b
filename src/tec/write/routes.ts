import { type EventRow, PASSWORD_FIELD, UNKNOWN_ID } from '../../calendar/events/index.ts'
import type { AnyRoute, Call, Found, InvalidParam } from '../../http/route.ts'
import { eventKind, isOutOfSeries, linkedKinds, type OwnedRow, type TecDeps, type TecKind } from '../items.ts'
import type { Members } from '../present/members.ts'
import { commonParts, innerRoute } from '../reading.ts'
import { readableItem, requireReadable } from '../refuse.ts'
import { translated } from './body.ts'
import { DURATION, EVENT_MEMBERS, fieldsOf } from './fields.ts'
import { type CheckedWrite, check, finish, NOTHING_LEFT } from './stages.ts'
import { withTimes } from './times.ts'

/*
 * Writes of this namespace are writes of the interface: what was sent is translated, the stages of the interface's route
 * run, and the item that they return is shown as here.
 */

/** The routes that create, change and delete items. */
export function writeRoutes(deps: TecDeps): AnyRoute[] {
  return [eventKind(deps), ...linkedKinds(deps)].flatMap((kind) => [
    createRoute(kind),
    updateRoute(kind, 'PUT'),
    updateRoute(kind, 'PATCH'),
    removeRoute(kind),
  ])
}

function createRoute(kind: TecKind): AnyRoute {
  const inner = innerRoute(kind, 'POST')
  return {
    ...writing(kind, inner),
    ...changing(kind, inner, ({ values }) => ({ status: 'publish', ...values })),
    operation: `create${kind.schema.name}`,
  }
}

function updateRoute(kind: TecKind, method: 'PUT' | 'PATCH'): AnyRoute {
  const inner = innerRoute(kind, method)
  return {
    ...writing(kind, inner),
    ...changing(kind, inner, (call, row) =>
      isRestored(row as EventRow, call) ? { ...call.values, scope: 'this' } : call.values,
    ),
    operation: `${method === 'PUT' ? 'update' : 'patch'}${kind.schema.name}`,
    target: (call) => readable(kind, call),
    shown: async (call, row) =>
      kind.shown?.(call, row as OwnedRow) ?? kind.present((await inner.shown?.(call, row)) ?? {}, call),
  }
}

/** Whether a write with nothing but a status names a first date that was taken out: the status of the series is no news. */
function isRestored(row: Pick<EventRow, 'occasion'>, { query, body }: Pick<Call, 'query' | 'body'>): boolean {
  const inQuery = Object.keys(query).filter((one) => EVENT_MEMBERS.some(({ name }) => name === one))
  const names = [...inQuery, ...Object.keys(body)]
  return isOutOfSeries(row) && names.length > 0 && names.every((name) => name === 'status')
}

/** The fields of a write, and what becomes of their values. */
function changing({ key, members }: TecKind, inner: AnyRoute, valuesOf: (call: Call, item: unknown) => Members) {
  const isEvent = key === 'event'
  const fields = fieldsOf(members, inner.fields)
  return {
    fields: isEvent ? [...fields, DURATION] : fields,
    resolve: (call: Call, item: unknown, refusals: InvalidParam[]) => {
      const plain = translated(members, valuesOf(call, item))
      const change = { stored: item as EventRow | undefined, refusals }
      const body = isEvent ? withTimes(plain, call, change) : plain
      return check(inner, { call, body, members, refusals })
    },
  }
}

function removeRoute(kind: TecKind): AnyRoute {
  const inner = innerRoute(kind, 'DELETE')
  return {
    ...writing({ ...kind, schema: NOTHING_LEFT }, inner),
    operation: `delete${kind.schema.name}`,
    fields: inner.fields.filter(({ name }) => name !== PASSWORD_FIELD.name),
    target: (call) => readable(kind, call),
    resolve: (call, _item, refusals) => {
      const body = { sent: call.sent, names: new Map() }
      return check(inner, { call, body, members: [], refusals })
    },
  }
}

/** What all routes that write have in common. */
function writing(kind: TecKind, inner: AnyRoute): Omit<AnyRoute, 'operation' | 'fields'> {
  return {
    ...commonParts(inner),
    fillsDefaults: false,
    response: { ...inner.response, schema: kind.schema },
    errors: inner.errors.filter((code) => code !== UNKNOWN_ID),
    rows: async (_call, _item, loaded) => (loaded as CheckedWrite).prepared.rows,
    handle: (call, _item, loaded) => finish({ kind, inner, call }, loaded as CheckedWrite),
  }
}

/** The item that a path names, if this caller may read it. @throws rest_forbidden */
async function readable({ find }: TecKind, call: Call): Promise<Found<unknown>> {
  const found = await readableItem(call, find)
  requireReadable(call, found.item)
  return found
}
