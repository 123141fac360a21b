import { jsonLdHead, presentLinkedHead, presentLinkedIds } from '../entries/linked/present.ts'
import type { LinkedShowing } from '../entries/linked/shelf.ts'
import { withExtra, withoutEmpty } from '../entries/present.ts'
import type { VenueRow } from './shape.ts'

/** The representation of a venue, member by member as the wire has it (wire: rest 1.1); empty ones are left out. */
export function presentVenue(row: VenueRow, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  const { address, city, country, province, state, zip, phone, website, stateprovince } = row
  const answer = {
    ...withoutEmpty({
      ...presentLinkedHead('venue', row, showing),
      ...{ address, city, country, province, state, zip, phone, website, stateprovince },
      ...coordinatesOf(row),
      json_ld: showing.withJsonLd ? venueJsonLd(row, showing) : '',
    }),
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    ...presentLinkedIds(row, showing),
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
    url: row.website,
    address: addressOf(row),
    geo: geo && { '@type': 'GeoCoordinates', latitude: geo.geo_lat, longitude: geo.geo_lng },
    telephone: row.phone,
    sameAs: row.website,
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
