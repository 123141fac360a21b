import { Failure } from '../base/errors.ts'
import { decodeEntities } from '../base/text/entities.ts'
import type { RawInput } from '../http/request/body.ts'
import { momentText, startText } from './moments.ts'
import type { PageRequest } from './page-request.ts'

/** Events that a sentence names at most. */
const NAMED = 5

/** Why an event cannot be at its venue then, with the names of the others that are, or its own dates; undefined for every other failure. */
export async function takenVenue(request: PageRequest, error: unknown): Promise<string | undefined> {
  if (!(error instanceof Failure) || error.code !== 'venue_taken') return undefined
  const { t, deps, incoming } = request
  const { events, hidden, dates } = error.data
  const ids = Array.isArray(events) ? events.slice(0, NAMED) : []
  const found = await Promise.all(
    ids.map((id) => deps.api(incoming, { path: `/events/${String(id)}` }).catch(() => undefined)),
  )
  const names = found.flatMap((reply) => {
    if (reply === undefined) return []
    const event = reply.body as RawInput
    return [
      `${decodeEntities(String(event['title'] ?? '')) || t('common.untitledEvent')} (${startText(request, event) ?? '–'})`,
    ]
  })
  if (Array.isArray(dates)) names.push(...dates.slice(0, NAMED).map((start) => momentText(request, String(start))))
  const more = Array.isArray(events) && events.length > NAMED ? ['…'] : []
  const others = hidden === true ? [t('admin.conflict.hiddenEvents')] : []
  const list = new Intl.ListFormat(incoming.language, { type: 'unit' }).format([...names, ...more, ...others])
  return t('admin.conflict.venueTaken', { events: list })
}
