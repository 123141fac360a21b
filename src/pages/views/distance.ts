import type { EventWithRelations } from '../../calendar/events/index.ts'
import { kilometers } from './filters.ts'
import type { ViewRequest } from './view.ts'

/** Mean radius of the earth in kilometers. */
const EARTH_RADIUS = 6371.0088

interface Point {
  readonly lat: number
  readonly lng: number
}

/** How far an event is from the place around which a request looks for events, in words; undefined where it looks around none. */
export function distancesFrom({
  incoming: { query },
  context: { language },
}: ViewRequest): ((event: EventWithRelations) => string) | undefined {
  const here = { lat: Number(query['geoloc_lat']), lng: Number(query['geoloc_lng']) }
  if ((query['geoloc_lat'] ?? '') === '' || Number.isNaN(here.lat + here.lng)) return undefined
  return ({ venues }) => {
    const distances = venues.flatMap(({ geo_lat: lat, geo_lng: lng }) =>
      lat === null || lng === null ? [] : [distance(here, { lat, lng })],
    )
    return distances.length === 0 ? '' : kilometers(language, Math.min(...distances))
  }
}

/** Great-circle distance in kilometers (haversine). */
function distance(one: Point, other: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2
  const chord =
    half(one.lat, other.lat) + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(one.lng, other.lng)
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)))
}
