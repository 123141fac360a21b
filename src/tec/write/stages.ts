import { Failure } from '../../base/errors.ts'
import { type Prepared, prepare } from '../../http/dispatch.ts'
import type { KeyedReply } from '../../http/idempotency/keyed-request.ts'
import { NOTHING, named } from '../../http/openapi/parts.ts'
import { refusalsIn, renamedFailure, renamedRefusal } from '../../http/params.ts'
import type { AnyRoute, Call, InvalidParam, Reply } from '../../http/route.ts'
import type { TecKind } from '../items.ts'
import type { Members } from '../present/members.ts'
import { nameIn, type TranslatedBody } from './body.ts'
import type { WriteMember } from './fields.ts'

/*
 * A write by the route of the interface, in two steps: all checks, and the change itself.
 */

/** What a deletion answers. */
export const NOTHING_LEFT = named('NothingLeft', NOTHING)

/** A write whose checks are done: what they were given, and what they have found. */
export interface CheckedWrite {
  readonly body: TranslatedBody
  readonly prepared: Prepared
}

/** A write in the words of the interface. */
interface TranslatedWrite {
  readonly call: Call
  readonly body: TranslatedBody
  readonly members: readonly WriteMember[]
  /** What is refused here already. */
  readonly refusals: InvalidParam[]
}

/**
 * Runs all stages of the interface's route but the last; undefined where something is refused.
 * @throws Failure of the first that fails
 */
export async function check(
  inner: AnyRoute,
  { call, body, members, refusals }: TranslatedWrite,
): Promise<CheckedWrite | undefined> {
  const { sent } = body
  try {
    return { body, prepared: await prepare(inner, { ...call, query: {}, body: sent, sent, values: {} }) }
  } catch (error) {
    const nameOf = nameIn(members, body)
    const inner = (refusalsIn(error) ?? []).map((one) => reworded(renamedRefusal(one, nameOf)))
    refusals.push(...inner.filter(({ name }) => !refusals.some((own) => own.name === name)))
    const isMissing = error instanceof Failure && error.code === 'rest_missing_callback_param'
    if (refusals.length > 0 && error instanceof Failure && error.status < 500 && !isMissing) return undefined
    throw renamedFailure(error, nameOf, call.language)
  }
}

/** Linked items have IDs here, and none is made: those that are refused name nothing. */
function reworded(refusal: InvalidParam): InvalidParam {
  return refusal.reason === 'bad_linked' ? { ...refusal, reason: 'unknown_id' } : refusal
}

/** A write with the routes that it takes. */
interface Writing {
  readonly kind: TecKind
  readonly inner: AnyRoute
  readonly call: Call
}

/** Writes, and shows what was written. */
export async function finish({ kind, inner, call }: Writing, { body, prepared }: CheckedWrite): Promise<Reply> {
  const { read, item, loaded } = prepared
  const { keyed } = call
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
    throw renamedFailure(error, nameIn(kind.members, body), call.language)
  }
}

function shownReply(kind: TecKind, { status, body, headers, version }: Reply, call: Call): Reply {
  const further = headers && { headers }
  if (kind.schema === NOTHING_LEFT) return { status, body: [], ...further }
  const item = kind.present(body as Members, call)
  return { status, body: item, read: item, ...further, ...(version && { version }) }
}
