import { isPlain } from '../../http/answer.ts'
import type { FragmentsOfForm } from '../../http/cache/fragments.ts'
import { ownBytes } from '../../http/cache/own-bytes.ts'
import type { Part } from '../../http/cache/versions.ts'
import type { ItemVersion } from '../../http/item-version.ts'
import type { Call, Reply } from '../../http/route.ts'

/** A single event as it was made for an anonymous reader, and all that it was made of. */
export interface MadeEvent {
  readonly body: Readonly<Record<string, unknown>>
  readonly parts: readonly Part[]
  readonly version: ItemVersion
}

/** Of the texts that are kept; they go with them. */
const versions = new WeakMap<Buffer, ItemVersion>()

/** The answer with an event whose text is kept and still true; undefined when there is none for this call. */
export function readyEvent(call: Call, id: number): Reply | undefined {
  const kept = textsFor(call)?.get(id)
  const version = kept && versions.get(kept.text)
  return kept && version && { status: 200, body: undefined, text: kept.text, lasting: { parts: [kept.stamp] }, version }
}

/** The answer with an event that has no password; its text is kept where the call may. */
export function keptReply(call: Call<unknown>, id: number, { body, parts, version }: MadeEvent): Reply {
  const texts = textsFor(call)
  const lasting = { parts }
  if (texts === undefined) return { status: 200, body, lasting, version }
  const text = ownBytes(Buffer.from(JSON.stringify(body)))
  versions.set(text, version)
  texts.put(id, text, parts)
  return { status: 200, body, text, lasting, version }
}

/** The texts of events by themselves under the mount of a call, where they are sent as they are. */
function textsFor(call: Pick<Call, 'fragments' | 'sent' | 'urls'>): FragmentsOfForm | undefined {
  return isPlain(call) ? call.fragments?.of(call.urls.api('/events/:id')) : undefined
}
