import { flag, named, open } from '../../http/openapi/parts.ts'
import { PLACE } from '../shared/json-ld-schema.ts'
import { content, entryMembers, IMAGE, LINKED_MEMBERS, requiredOfLinked } from '../shared/schema.ts'

const ENTRY = entryMembers('venue')

/** A venue as responses show it. */
export const VENUE = named(
  'Venue',
  open(
    'A venue. Members without content are absent',
    {
      ...ENTRY,
      ...LINKED_MEMBERS,
      venue: content('Name, with &, < and > as HTML entities', 'Heron Point Boathouse'),
      address: content('Street and number', '48 Slipway Lane'),
      city: content('City', 'Astoria'),
      country: content('Country', 'United States'),
      province: content('Province', 'Ontario'),
      state: content('State', 'OR'),
      zip: content('Postal code', '97103'),
      phone: content('Telephone number', '+1 555 0140'),
      website: content('Address of its web site', 'https://heronpoint.example/'),
      stateprovince: content('State or province, whichever applies', 'OR'),
      geo_lat: { type: 'number', description: 'Latitude in degrees', minimum: -90, maximum: 90 },
      geo_lng: { type: 'number', description: 'Longitude in degrees', minimum: -180, maximum: 180 },
      language: content('Language in which it is written (BCP 47)', 'de-AT'),
      exclusive: flag('Whether the venue refuses events that overlap others there'),
      json_ld: PLACE,
      show_map: flag('Whether to show a map'),
      show_map_link: flag('Whether to show a link to a map'),
    },
    [...requiredOfLinked(ENTRY), 'show_map', 'show_map_link'],
  ),
  [IMAGE],
)
