import { webAddress } from '../../model/kinds/address.ts'
import type { VenueTable } from '../../storage/schema.ts'
import type { LinkedShowing } from '../shared/linked/lookup.ts'
import { jsonLdHead } from '../shared/linked/present.ts'
import { withoutEmpty } from '../shared/present.ts'

/** The coordinates of a venue that has both. */
function coordinatesOf({ geo_lat, geo_lng }: VenueTable): { geo_lat: number; geo_lng: number } | undefined {
  return geo_lat === null || geo_lng === null ? undefined : { geo_lat, geo_lng }
}

/** schema.org Place of a venue (wire: rest 1.4; decisions: JSON-LD); it is embedded as it is in that of an event. */
export function venueJsonLd(row: VenueTable, showing: LinkedShowing): Readonly<Record<string, unknown>> {
  const geo = coordinatesOf(row)
  const website = webAddress(row.website)
  return withoutEmpty({
    ...jsonLdHead('Place', row, showing),
    url: website,
    address: addressOf(row),
    geo: geo && { '@type': 'GeoCoordinates', latitude: geo.geo_lat, longitude: geo.geo_lng },
    telephone: row.phone,
    sameAs: website,
  })
}

function addressOf(row: VenueTable): Readonly<Record<string, unknown>> | undefined {
  const parts = withoutEmpty({
    streetAddress: row.address,
    addressLocality: row.city,
    addressRegion: row.stateprovince || row.state || row.province,
    postalCode: row.zip,
    addressCountry: row.country,
  })
  return Object.keys(parts).length === 0 ? undefined : { '@type': 'PostalAddress', ...parts }
}
