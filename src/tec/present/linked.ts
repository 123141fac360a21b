import { decodeEntities } from '../../base/text/entities.ts'
import { IMAGE } from '../../calendar/shared/schema.ts'
import { ref } from '../../http/openapi/parts.ts'
import {
  commonMembers,
  type ItemViewer,
  type Members,
  type ShownItem,
  shapeOf,
  text,
  textOf,
  texts,
} from './members.ts'

/** The image of an item, as the interface shows it. */
export const image = [ref('Image'), ({ shown }: ShownItem) => shown['image']] as const

const VENUES = shapeOf<ShownItem>('Venue', {
  always: {
    ...commonMembers('venue'),
    ...texts('address', 'country', 'city'),
    state_province: text('stateprovince'),
    ...texts('state', 'province', 'zip', 'phone'),
    directions_link: [{ type: 'string' }, directionsTo],
    ...texts('website'),
  },
  further: {
    geo_lat: [{ type: 'number' }, ({ shown }) => shown['geo_lat']],
    geo_lng: [{ type: 'number' }, ({ shown }) => shown['geo_lng']],
    image,
  },
  uses: [IMAGE],
})

const ORGANIZERS = shapeOf<ShownItem>('Organizer', {
  always: { ...commonMembers('organizer'), ...texts('phone', 'website', 'email') },
  further: { image },
  uses: [IMAGE],
})

/** A venue as responses show it. */
export const VENUE = VENUES.schema

/** An organizer as responses show it. */
export const ORGANIZER = ORGANIZERS.schema

/** A venue, from what the interface shows this caller of it. */
export function presentVenue(shown: Members, { urls }: ItemViewer): Members {
  return VENUES.present({ shown, urls })
}

/** An organizer, from what the interface shows this caller of it. */
export function presentOrganizer(shown: Members, { urls }: ItemViewer): Members {
  return ORGANIZERS.present({ shown, urls })
}

const DIRECTIONS = 'https://maps.google.com/maps?f=q&#038;source=s_q&#038;hl=en&#038;geocode=&#038;q='

/** Where a map shows the way to a venue, with `&` as HTML writes it; '' without an address. */
function directionsTo({ shown }: ShownItem): string {
  const region = shown['stateprovince'] ?? shown['state'] ?? shown['province']
  const parts = [shown['address'], shown['city'], region, shown['zip'], shown['country']].map(textOf).filter(Boolean)
  const place = new URLSearchParams([['q', decodeEntities(parts.join(' '))]]).toString().slice('q='.length)
  return place === '' ? '' : DIRECTIONS + place
}
