import { Failure, fail } from '../../base/errors.ts'
import type { EventRow } from '../../calendar/events/index.ts'
import { refusedFailure } from '../../http/params.ts'
import type { Call, InvalidParam } from '../../http/route.ts'
import { endAfter } from './duration.ts'
import { DURATION, type WriteMember } from './fields.ts'

type Values = Readonly<Record<string, unknown>>

/** What was sent as the fields of the interface. */
export interface TranslatedBody {
  readonly sent: Values
  /** Under which name each of them was sent. */
  readonly names: ReadonlyMap<string, string>
}

/** The values of a write in the words of the interface. */
export function translated(members: readonly WriteMember[], values: Values): TranslatedBody {
  const used = members.flatMap(({ name, to }) =>
    to === undefined || values[name] === undefined ? [] : [[to, name] as const],
  )
  return {
    sent: Object.fromEntries(used.map(([to, name]) => [to, values[name]])),
    names: new Map(used),
  }
}

/** An end that is valid wherever it is not the one that counts. */
const SOME_END = '2000-01-01 00:00:00'

/** The end that a duration gives, where no end was sent; `stored` is undefined on create. */
export function withDuration(
  body: TranslatedBody,
  { values, context }: Pick<Call, 'values' | 'context'>,
  { stored, refusals }: { readonly stored: EventRow | undefined; readonly refusals: InvalidParam[] },
): TranslatedBody {
  const { name } = DURATION
  const isRefused = refusals.some((one) => one.name === name)
  const { [name]: seconds } = values
  if (body.names.has('end_date') || (seconds === undefined && !isRefused)) return body
  const end = typeof seconds === 'number' ? endAfter(seconds, { sent: body.sent, stored, context }) : undefined
  if (end === 'beyond') refusals.push({ name, code: 'rest_invalid_param', reason: 'bad_date' })
  const isEnd = end !== undefined && end !== 'beyond'
  if (!isEnd && stored !== undefined) return body
  return {
    sent: { ...body.sent, end_date: isEnd ? end : SOME_END },
    names: new Map([...body.names, ['end_date', name]]),
  }
}

/** What is known of a write that the interface refuses. */
interface RefusedWrite {
  readonly members: readonly WriteMember[]
  readonly names: TranslatedBody['names']
  /** What is refused here already. */
  readonly refusals: readonly InvalidParam[]
  readonly language: string
}

/** Whether a failure is about parameters, and so comes before those about rights. */
export function isAboutParameters({ code }: Failure): boolean {
  return code === 'rest_missing_callback_param' || code === 'rest_invalid_param'
}

/** A failure of the interface in the words of this namespace. */
export function renamed(error: unknown, { members, names, refusals, language }: RefusedWrite): unknown {
  if (!(error instanceof Failure)) return error
  const nameOf = (inner: string): string =>
    names.get(inner) ?? members.findLast(({ to }) => to === inner)?.name ?? inner
  if (error.code === 'rest_missing_callback_param') {
    const params = (error.data['params'] as readonly string[]).map(nameOf)
    return fail(error.code, { params: params.join(', ') }, { params })
  }
  if (error.code !== 'rest_invalid_param') return error
  const texts = Object.entries(error.data['params'] as Readonly<Record<string, string>>)
  // Each text starts with the name.
  const renamed = texts.map(([name, text]) => [nameOf(name), nameOf(name) + text.slice(name.length)])
  const own = refusedFailure(refusals, [], language).data['params'] as object
  const params = { ...Object.fromEntries(renamed), ...own }
  const details = Object.keys(error.data['details'] ?? {}).map((name) => [nameOf(name), {}])
  return fail(error.code, { params: Object.keys(params).join(', ') }, { params, details: Object.fromEntries(details) })
}
