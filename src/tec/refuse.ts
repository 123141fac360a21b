import { fail } from '../base/errors.ts'
import { translate } from '../base/i18n/translate.ts'
import { mayRead } from '../http/auth/rights.ts'
import type { AnyRoute, Call, ErrorBody } from '../http/route.ts'
import { email, website } from '../model/kinds/address.ts'
import { date } from '../model/kinds/date.ts'
import { pathId } from '../model/kinds/integer.ts'
import type { Kind } from '../model/kinds/kind.ts'
import type { EntryColumns } from '../storage/schema.ts'
import { RENDERED } from './write/kinds.ts'

/*
 * How this namespace refuses a request: an ID that names nothing for its caller, and what errors say beside the members
 * that they have everywhere.
 */

/** The item with the ID of the path; undefined where there is none that the caller may read. */
export async function readableItem<Row extends Pick<EntryColumns, 'author_id' | 'status'>>(
  { path, caller, context }: Call<unknown>,
  find: (id: number) => Promise<Row | undefined>,
): Promise<{ readonly item: Row | undefined }> {
  const id = pathId.parse(path['id'], context)
  const row = id.ok ? await find(id.value) : undefined
  const isOpen = row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
  return { item: isOpen ? row : undefined }
}

/**
 * Refuses an ID that names nothing for its caller, whatever else the request asks, so that none is revealed.
 * @throws rest_forbidden
 */
export function requireReadable({ caller }: Pick<Call, 'caller'>, item: unknown): true {
  if (item !== undefined) return true
  throw fail('rest_forbidden', {}, { status: caller.id === 0 ? 401 : 403, isUnreadable: true })
}

type Parameters = Pick<AnyRoute, 'fields' | 'pathFields'>

/** A route whose errors are shown as in this namespace. */
export function showingErrors(route: AnyRoute): AnyRoute {
  return { ...route, showError: (error, { language }) => shownError(route, error, language) }
}

/** An error of a route with these parameters, in the words of this namespace. */
export function shownError(route: Parameters, error: ErrorBody, language: string): object {
  const { isUnreadable, ...data } = error.data
  if (isUnreadable === true) return { ...error, message: translate(language, 'api.tec.unreadable'), data }
  if (data['status'] === 410) return { error: error.message, ...error }
  return error.code === 'rest_invalid_param' ? { ...error, data: withDetails(route, error.data) } : error
}

/** Members of errors by the name of a parameter. */
type ByName<Value> = Readonly<Record<string, Value>>

/** What was refused, with a code for each parameter that says what it has to be. */
function withDetails({ pathFields, fields }: Parameters, data: ErrorBody['data']): ErrorBody['data'] {
  const params = (data['params'] ?? {}) as ByName<string>
  const typed = (data['details'] ?? {}) as ByName<unknown>
  const details = Object.entries(params).map(([name, message]) => {
    const known = [...fields, ...pathFields].find((one) => one.name === name)
    const argument = known && argumentOf(known.kind)
    const own = typed[name] === undefined ? 'rest_invalid_param' : 'rest_invalid_type'
    const code = argument === undefined ? own : `tec_rest_invalid_${argument}_argument`
    return [name, { code, message, data: { status: 400, argument: name, details: message } }]
  })
  return { ...data, details: Object.fromEntries(details) }
}

/** What the inner codes call a kind of parameter; undefined for one that they have no word for. */
function argumentOf({ schema }: Kind<unknown>): string | undefined {
  if (schema === email.schema) return 'email'
  if (schema === website.schema) return 'uri'
  // Every kind of dates has the types of the first.
  if (schema['type'] === date.schema['type']) return 'date_time'
  if (schema['type'] === 'integer') return schema['minimum'] === 1 ? 'positive_integer' : undefined
  const isText = schema === RENDERED.schema || (schema['type'] === 'string' && schema['enum'] === undefined)
  return isText ? 'string' : undefined
}
