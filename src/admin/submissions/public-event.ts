import { decodeEntities } from '../../base/text/entities.ts'
import type { RawInput } from '../../http/request/body.ts'
import type { PageRequest } from '../page-request.ts'
import { passOver } from '../refusals.ts'
import type { PublicEvent } from './decide.ts'
import { KEEPER } from './page.ts'

/** The event or date with an ID; undefined where it is not public. */
export async function publicEvent({ deps, incoming }: PageRequest, id: number): Promise<PublicEvent | undefined> {
  const reply = await deps.api({ ...incoming, caller: KEEPER }, { path: `/events/${id}` }).catch(passOver)
  const { status, title, url } = (reply?.body ?? {}) as RawInput
  if (status !== 'publish') return undefined
  return { id, title: decodeEntities(String(title ?? '')), path: String(url).slice(incoming.urls.page('').length) }
}
