import type { LinkedShowing } from '../entries/linked/lookup.ts'
import { jsonLdHead, presentLinkedHead, presentLinkedIds } from '../entries/linked/present.ts'
import { filled, filledLine, withExtra, withoutEmpty } from '../entries/present.ts'
import { webAddress } from '../fields/address.ts'
import type { VenueRow } from './shape.ts'

/** The representation of a venue, member by member as the wire has it (wire: rest 1.1); empty ones are left out. */
export function presentVenue(row: VenueRow, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  const geo = coordinatesOf(row)
  const ids = presentLinkedIds(row, showing)
  const answer = {
    ...presentLinkedHead('venue', row, showing),
    address: filledLine(row.address),
    city: filledLine(row.city),
    country: filledLine(row.country),
    province: filledLine(row.province),
    state: filledLine(row.state),
    zip: filledLine(row.zip),
    phone: filledLine(row.phone),
    website: filled(row.website),
    stateprovince: filledLine(row.stateprovince),
    geo_lat: geo?.geo_lat,
    geo_lng: geo?.geo_lng,
    json_ld: showing.withJsonLd ? venueJsonLd(row, showing) : undefined,
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    global_id: ids.global_id,
    global_id_lineage: ids.global_id_lineage,
  }
  return withExtra(answer, row.extra)
}

/** The coordinates of a venue that has both. */
function coordinatesOf({ geo_lat, geo_lng }: VenueRow): { geo_lat: number; geo_lng: number } | undefined {
  return geo_lat === null || geo_lng === null ? undefined : { geo_lat, geo_lng }
}

/** schema.org Place of a venue (wire: rest 1.4; decisions: JSON-LD); it is embedded as it is in that of an event. */
function venueJsonLd(row: VenueRow, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  const geo = coordinatesOf(row)
  return withoutEmpty({
    ...jsonLdHead('Place', row, showing),
    url: webAddress(row.website),
    address: addressOf(row),
    geo: geo && { '@type': 'GeoCoordinates', latitude: geo.geo_lat, longitude: geo.geo_lng },
    telephone: row.phone,
    sameAs: webAddress(row.website),
  })
}

function addressOf(row: VenueRow): Readonly<Record<string, unknown>> | undefined {
  const parts = withoutEmpty({
    streetAddress: row.address,
    addressLocality: row.city,
    addressRegion: row.stateprovince || row.state || row.province,
    postalCode: row.zip,
    addressCountry: row.country,
  })
  return Object.keys(parts).length === 0 ? undefined : { '@type': 'PostalAddress', ...parts }
}
