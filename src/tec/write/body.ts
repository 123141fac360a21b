import { Failure, fail } from '../../base/errors.ts'
import { translate } from '../../base/i18n/translate.ts'
import { refusedFailure } from '../../http/params.ts'
import type { InvalidParam } from '../../http/route.ts'
import type { WriteMember } from './fields.ts'

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
  const renamed = texts.map(([name, text]) => [
    nameOf(name),
    nameOf(name) + reworded(text.slice(name.length), language),
  ])
  const own = refusedFailure(refusals, [], language).data['params'] as object
  const params = { ...Object.fromEntries(renamed), ...own }
  const details = Object.keys(error.data['details'] ?? {}).map((name) => [nameOf(name), {}])
  return fail(error.code, { params: Object.keys(params).join(', ') }, { params, details: Object.fromEntries(details) })
}

/** What is refused of items that are linked, in the words of a namespace that makes none: they have IDs, which name nothing. */
function reworded(text: string, language: string): string {
  return text.replace(translate(language, 'reasons.bad_linked'), translate(language, 'reasons.unknown_id'))
}
