import { flag, named, open } from '../../http/openapi/parts.ts'
import { PLACE } from '../shared/json-ld-schema.ts'
import { content, entryMembers, IMAGE, LINKED_MEMBERS, requiredOfLinked } from '../shared/schema.ts'

const ENTRY = entryMembers('venue')

/** A venue as responses show it. */
export const VENUE = named(
  'Venue',
  open(
    'api.venues.venueFieldsWithoutValue',
    {
      ...ENTRY,
      ...LINKED_MEMBERS,
      venue: content('api.nameHtmlEntities', 'Heron Point Boathouse'),
      address: content('api.venues.streetAddress', '48 Slipway Lane'),
      city: content('fields.city', 'Astoria'),
      country: content('fields.country', 'United States'),
      province: content('fields.province', 'Ontario'),
      state: content('fields.state', 'OR'),
      zip: content('fields.postalCode', '97103'),
      phone: content('api.phoneNumber', '+1 555 0140'),
      website: content('api.urlWebsite', 'https://heronpoint.example/'),
      stateprovince: content('api.venues.stateProvinceWhicheverApplies', 'OR'),
      geo_lat: { type: 'number', description: 'api.venues.latitudeInDegrees', minimum: -90, maximum: 90 },
      geo_lng: { type: 'number', description: 'api.venues.longitudeInDegrees', minimum: -180, maximum: 180 },
      language: content('api.languageTextBcp47', 'de-AT'),
      exclusive: flag('api.whetherVenueRejectsOverlapping'),
      json_ld: PLACE,
      show_map: flag('api.whetherShowMap'),
      show_map_link: flag('api.whetherShowLinkMap'),
    },
    [...requiredOfLinked(ENTRY), 'show_map', 'show_map_link'],
  ),
  [IMAGE],
)
