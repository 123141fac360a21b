import type { FragmentsOfForm } from '../../../http/cache/fragments.ts'
import type { Dependency } from '../../../http/cache/versions.ts'
import { isPlain, ownBytes } from '../../../http/response/http-response.ts'
import type { ItemVersion } from '../../../http/route/preconditions.ts'
import type { Call, Reply } from '../../../http/route.ts'
import { markSpoken, spokenHeaders, textsName } from './texts.ts'

/** A single event as built for an anonymous reader, and its dependencies. */
export interface MadeEvent {
  readonly body: Readonly<Record<string, unknown>>
  readonly dependencies: readonly Dependency[]
  readonly version: ItemVersion
}

/** Versions of the cached texts; they are collected together. */
const versions = new WeakMap<Buffer, ItemVersion>()

/** The response with an event whose cached text is fresh; undefined if there is none for this call. */
export function cachedEvent(call: Call, id: number): Reply | undefined {
  const cached = textsFor(call)?.get(id)
  const version = cached && versions.get(cached.text)
  return (
    cached &&
    version && {
      status: 200,
      body: undefined,
      text: cached.text,
      headers: spokenHeaders([cached.text]),
      freshness: { dependencies: [cached.version] },
      version,
    }
  )
}

/** The response with an event without password; its text is cached where the call allows it. */
export function cachedReply(call: Call<unknown>, id: number, { body, dependencies, version }: MadeEvent): Reply {
  const texts = textsFor(call)
  const freshness = { dependencies }
  const headers = spokenHeaders([body])
  if (texts === undefined) return { status: 200, body, headers, freshness, version }
  const text = markSpoken(ownBytes(Buffer.from(JSON.stringify(body))), body)
  versions.set(text, version)
  texts.put(id, text, dependencies)
  return { status: 200, body, text, headers, freshness, version }
}

/** The texts of single events under the mount of a call, where they are sent unchanged. */
function textsFor(call: Pick<Call, 'fragments' | 'sent' | 'urls' | 'language'>): FragmentsOfForm | undefined {
  return isPlain(call) ? call.fragments?.of(textsName(call.urls.api('/events/:id'), call)) : undefined
}
