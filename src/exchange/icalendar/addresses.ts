import { OWN_NAMESPACE } from '../../base/config/namespaces.ts'
import { queryText, type Urls } from '../../http/address.ts'

/** Path of the file of a list of events, below our own namespace. */
export const FEED_PATH = '/events.ics'

/** Address of the file of the events to come, or of those that filters leave. */
export function feedAddress(urls: Pick<Urls, 'root'>, filters: readonly (readonly [string, string])[] = []): string {
  const address = urls.root(`/${OWN_NAMESPACE}${FEED_PATH}`)
  return filters.length === 0 ? address : `${address}?${queryText(filters)}`
}

/** Address of the file of one event. */
export function eventFileAddress(urls: Pick<Urls, 'root'>, id: number): string {
  return urls.root(`/${OWN_NAMESPACE}/events/${id}.ics`)
}
