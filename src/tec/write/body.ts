import type { NameOf } from '../../http/params.ts'
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

/** Under which name a field of the interface was sent, or is called here. */
export function nameIn(members: readonly WriteMember[], { names }: TranslatedBody): NameOf {
  return (inner) => names.get(inner) ?? members.findLast(({ to }) => to === inner)?.name ?? inner
}
