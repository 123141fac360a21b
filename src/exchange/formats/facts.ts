import { isHttpUrl } from '../../base/text/http-url.ts'
import { offsetText } from '../../base/time/zones.ts'
import type { EventWithRelations } from '../../calendar/events/index.ts'
import { presentImage } from '../../calendar/shared/stored-image.ts'
import type { Urls } from '../../http/address.ts'

/** UTC as RFC 3339: `2026-11-20T18:00:00Z`. */
export function utcStamp(utc: string): string {
  return `${utc.replace(' ', 'T')}Z`
}

/** When an event starts and ends: days, or moments with the offset of its zone. */
export function stampsOf({ row }: EventWithRelations): { readonly start: string; readonly end: string } {
  const { start_local, end_local, timezone, start_utc, end_utc } = row
  if (row.all_day === 1) return { start: start_local.slice(0, 10), end: end_local.slice(0, 10) }
  const stamp = (local: string, utc: string): string => local.replace(' ', 'T') + offsetText(utc, timezone)
  return { start: stamp(start_local, start_utc), end: stamp(end_local, end_utc) }
}

/** Address of the image of an event; '' if there is none. */
export function imageAddress({ row, picture }: EventWithRelations, urls: Pick<Urls, 'page'>): string {
  const image = presentImage(row, picture, urls)
  const url = image === false ? undefined : image['url']
  return typeof url === 'string' && isHttpUrl(url) ? new URL(url).href : ''
}

/** The parts of a place that are not empty, from the smallest to the country. */
export function placeText(venue: EventWithRelations['venues'][number]): string {
  const { address, city, stateprovince, state, province, zip, country } = venue
  return [address, city, stateprovince || state || province, zip, country].filter((part) => part !== '').join(', ')
}
