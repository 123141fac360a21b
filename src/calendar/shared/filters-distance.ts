import { type Expression, type SqlBool, sql } from 'kysely'
import type { InvalidParam } from '../../http/route.ts'
import { number } from '../../model/kinds/number.ts'

/** Parameters of lists that name the center of a search by distance (interface: Events list). */
export const LATITUDE = ['geoloc_lat', number(-90, 90), 'api.latitudeCenterSearchDistance'] as const

/** The other half of the center. */
export const LONGITUDE = ['geoloc_lng', number(-180, 180), 'api.longitudeCenterSearchDistance'] as const

/** Distance of a search by distance when none is sent, in kilometers (decisions: geoloc). */
const DEFAULT_RADIUS = 40

/** The parameter of lists that names the distance; ours. Half the circumference of the earth reaches every place. */
export const RADIUS = ['geoloc_radius', number(0, 20_100), 'api.searchRadiusKilometers'] as const

/** How the documents show the default distance. */
export const RADIUS_SHOWN = { shownDefault: DEFAULT_RADIUS } as const

/** The values of these parameters that were sent. */
export interface DistanceValues {
  readonly geoloc_lat?: number
  readonly geoloc_lng?: number
  readonly geoloc_radius?: number
}

/** A place in degrees and a distance around it in kilometers. */
export interface Circle {
  readonly lat: number
  readonly lng: number
  readonly radius: number
}

/** The circle to search; undefined when no center was sent. A distance without a center is ignored. */
export function circleOf({ geoloc_lat, geoloc_lng, geoloc_radius }: DistanceValues): Circle | undefined {
  if (geoloc_lat === undefined || geoloc_lng === undefined) return undefined
  return { lat: geoloc_lat, lng: geoloc_lng, radius: geoloc_radius ?? DEFAULT_RADIUS }
}

/** Adds a refusal when one half of the center was sent without the other; one that was refused is not missed. */
export function checkCentre({ geoloc_lat, geoloc_lng }: DistanceValues, refusals: InvalidParam[]): void {
  if ((geoloc_lat === undefined) === (geoloc_lng === undefined)) return
  if (refusals.some((one) => one.name === 'geoloc_lat' || one.name === 'geoloc_lng')) return
  const [name, detail] = geoloc_lat === undefined ? ['geoloc_lng', 'geoloc_lat'] : ['geoloc_lat', 'geoloc_lng']
  refusals.push({ name, code: 'rest_invalid_param', reason: 'needs_others', detail })
}

/** Mean radius of the earth and length of a degree of latitude, in kilometers; the latter a little short, for a margin. */
const EARTH_RADIUS = 6371.0088
const DEGREE = 111.195

/** What rounding may add to a distance, in kilometers: 180 and -180 degrees are the same meridian. */
const ROUNDING = 1e-9

/**
 * Whether a row of `venue` lies in the circle: great-circle distance (haversine), which handles date line and poles,
 * behind a band of latitudes that an index can use. A row without coordinates is in no circle.
 */
export function liesWithin(circle: Circle): Expression<SqlBool> {
  const { lat, radius } = circle
  const margin = radius / DEGREE
  return sql<SqlBool>`venue.geo_lat between ${lat - margin} and ${lat + margin} and venue.geo_lng is not null
    and ${distanceTo(circle)} <= ${radius + ROUNDING}`
}

/** Great-circle distance of a row of `venue` from a center in kilometers; null without coordinates. */
function distanceTo({ lat, lng }: Pick<Circle, 'lat' | 'lng'>): Expression<number> {
  const half = (delta: Expression<unknown>): Expression<number> => sql<number>`sin(radians(${delta}) / 2)`
  const latitude = half(sql`(venue.geo_lat - ${lat})`)
  const longitude = half(sql`(venue.geo_lng - ${lng})`)
  const chord = sql<number>`${latitude} * ${latitude}
    + cos(radians(${lat})) * cos(radians(venue.geo_lat)) * ${longitude} * ${longitude}`
  return sql<number>`${2 * EARTH_RADIUS} * asin(sqrt(case when ${chord} > 1 then 1 else ${chord} end))`
}

/** Distance of a row of `venue` from the center of a circle in whole meters; null without coordinates. */
export function metresTo(circle: Circle): Expression<number> {
  return sql<number>`round(${distanceTo(circle)} * 1000)`
}
