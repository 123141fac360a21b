import {
  flag,
  html as htmlColumn,
  language as languageColumn,
  line as lineColumn,
  link,
  mark,
  number as numberColumn,
} from './column.ts'
import { website } from './kinds/address.ts'
import { boolean, textFlag } from './kinds/boolean.ts'
import { exactChoice } from './kinds/choice.ts'
import { siteDate, utcDate } from './kinds/date.ts'
import { field } from './kinds/field.ts'
import { image } from './kinds/image.ts'
import { positive } from './kinds/integer.ts'
import { language } from './kinds/language.ts'
import { number } from './kinds/number.ts'
import { html, line, name } from './kinds/text.ts'
import { STATUSES } from './status.ts'

const TEXT = { cleared: '', shownDefault: null } as const
const MAP_FLAG = { shownDefault: null } as const

/** The fields of a venue in the interface's order (interface: Venue), then its coordinates (decisions: geoloc). */
export const VENUE_FIELDS = [
  field('author', positive, 'api.venues.idUserWhoOwns'),
  field('date', siteDate, 'api.venues.publicationDateVenueSites'),
  field('date_utc', utcDate, 'api.venues.publicationDateVenueUtc'),
  field('venue', name(), 'api.venues.nameVenue', {
    label: 'fields.name',
    required: true,
    example: 'Heron Point Boathouse',
  }),
  field('description', html, 'api.venues.descriptionVenue', { ...TEXT, label: 'fields.description' }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'api.venues.publicationStatus'),
  field('show_map', textFlag, 'api.whetherShowMapVenue', { ...MAP_FLAG, example: true }),
  field('show_map_link', textFlag, 'api.whetherShowLinkMapVenue', MAP_FLAG),
  field('address', line, 'api.venues.streetAddressVenue', {
    label: 'fields.address',
    ...TEXT,
    example: '48 Slipway Lane',
  }),
  field('city', line, 'api.venues.cityVenue', { label: 'fields.city', ...TEXT, example: 'Astoria' }),
  field('country', line, 'api.venues.countryVenue', { label: 'fields.country', ...TEXT, example: 'United States' }),
  field('province', line, 'api.venues.provinceVenue', { ...TEXT, label: 'fields.province' }),
  field('state', line, 'api.venues.state', { label: 'fields.state', ...TEXT, example: 'OR' }),
  field('zip', line, 'api.venues.postalCodeVenue', { label: 'fields.postalCode', ...TEXT, example: '97103' }),
  field('phone', line, 'api.venues.phoneNumberVenue', { ...TEXT, label: 'fields.phone' }),
  field('stateprovince', line, 'api.venues.stateProvinceVenueWhichever', {
    ...TEXT,
    label: 'fields.stateOrProvince',
  }),
  field('website', website, 'api.venues.urlVenuesWebsite', {
    label: 'fields.website',
    ...TEXT,
    declared: { type: 'string', format: 'uri' },
    example: 'https://heronpoint.example/',
  }),
  field('image', image, 'api.venues.idUrlVenuesImage', {
    label: 'fields.image',
    cleared: { by: 'none' },
    shownDefault: null,
  }),
  field('geo_lat', number(-90, 90), 'api.venues.latitudeVenueDegrees', {
    label: 'fields.latitude',
    cleared: null,
    example: 46.19,
  }),
  field('geo_lng', number(-180, 180), 'api.venues.longitudeVenueDegrees', {
    label: 'fields.longitude',
    cleared: null,
    example: -123.83,
  }),
  field('language', language, 'api.venues.languageVenuesDescriptionBcp', {
    label: 'fields.language',
    cleared: '',
    shownDefault: null,
    unlisted: true,
    example: 'en',
  }),
  field('exclusive', boolean, 'api.whetherVenueRejectsOverlapping', {
    label: 'fields.oneEventTime',
    shownDefault: null,
    unlisted: true,
    example: true,
  }),
] as const

/** What people write about a venue, as columns in the order of the response; `name` holds the field `venue`. */
export const VENUE_COLUMNS = {
  name: lineColumn,
  description: htmlColumn,
  address: lineColumn,
  city: lineColumn,
  country: lineColumn,
  province: lineColumn,
  state: lineColumn,
  zip: lineColumn,
  phone: lineColumn,
  website: link,
  stateprovince: lineColumn,
  show_map: flag(1),
  show_map_link: flag(1),
  geo_lat: numberColumn(90),
  geo_lng: numberColumn(180),
  language: languageColumn,
  exclusive: mark,
} as const
