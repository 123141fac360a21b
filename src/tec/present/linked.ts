import { decodeEntities } from '../../base/text/entities.ts'
import { withoutEmpty } from '../../calendar/shared/present.ts'
import { commonMembers, type ItemViewer, type Members, textOf } from './common.ts'

/** A venue, from what the interface shows this caller of it. */
export function presentVenue(shown: Members, { urls }: ItemViewer): Members {
  const { geo_lat, geo_lng, image } = shown
  return {
    ...commonMembers('venue', shown, { urls }),
    ...textsOf(shown, ['address', 'country', 'city']),
    state_province: textOf(shown['stateprovince']),
    ...textsOf(shown, ['state', 'province', 'zip', 'phone']),
    directions_link: directionsTo(shown),
    website: textOf(shown['website']),
    ...withoutEmpty({ geo_lat, geo_lng, image }),
  }
}

/** An organizer, from what the interface shows this caller of it. */
export function presentOrganizer(shown: Members, { urls }: ItemViewer): Members {
  const { image } = shown
  return {
    ...commonMembers('organizer', shown, { urls }),
    ...textsOf(shown, ['phone', 'website', 'email']),
    ...withoutEmpty({ image }),
  }
}

function textsOf(shown: Members, names: readonly string[]): Members {
  return Object.fromEntries(names.map((name) => [name, textOf(shown[name])]))
}

const DIRECTIONS = 'https://maps.google.com/maps?f=q&#038;source=s_q&#038;hl=en&#038;geocode=&#038;q='

/** Where a map shows the way to a venue, with `&` as HTML writes it; '' without an address. */
function directionsTo(shown: Members): string {
  const region = shown['stateprovince'] ?? shown['state'] ?? shown['province']
  const parts = [shown['address'], shown['city'], region, shown['zip'], shown['country']].map(textOf).filter(Boolean)
  const place = new URLSearchParams([['q', decodeEntities(parts.join(' '))]]).toString().slice('q='.length)
  return place === '' ? '' : DIRECTIONS + place
}
