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
  field('author', positive, 'Identifier of the user who owns the venue'),
  field('date', siteDate, 'When the venue is published, in the zone of the site'),
  field('date_utc', utcDate, 'When the venue is published, in UTC'),
  field('venue', name(), 'Name of the venue', { label: 'Name', required: true, example: 'Heron Point Boathouse' }),
  field('description', html, 'Text about the venue', { ...TEXT, label: 'Description' }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'State of the venue'),
  field('show_map', textFlag, 'Whether to show a map of the venue', { label: 'Show map', ...MAP_FLAG, example: true }),
  field('show_map_link', textFlag, 'Whether to show a link to a map of the venue', {
    ...MAP_FLAG,
    label: 'Show map link',
  }),
  field('address', line, 'Street and number of the venue', { label: 'Address', ...TEXT, example: '48 Slipway Lane' }),
  field('city', line, 'City of the venue', { label: 'City', ...TEXT, example: 'Astoria' }),
  field('country', line, 'Country of the venue', { label: 'Country', ...TEXT, example: 'United States' }),
  field('province', line, 'Province of the venue', { ...TEXT, label: 'Province' }),
  field('state', line, 'State of the venue', { label: 'State', ...TEXT, example: 'OR' }),
  field('zip', line, 'Postal code of the venue', { label: 'Postal code', ...TEXT, example: '97103' }),
  field('phone', line, 'Telephone number of the venue', { ...TEXT, label: 'Phone' }),
  field('stateprovince', line, 'State or province of the venue, whichever applies', {
    ...TEXT,
    label: 'State or province',
  }),
  field('website', website, 'Address of the web site of the venue', {
    label: 'Website',
    ...TEXT,
    declared: { type: 'string', format: 'uri' },
    example: 'https://heronpoint.example/',
  }),
  field('image', image, 'Identifier or address of the picture of the venue', {
    label: 'Picture',
    cleared: { by: 'none' },
    shownDefault: null,
  }),
  field('geo_lat', number(-90, 90), 'Latitude of the venue in degrees', {
    label: 'Latitude',
    cleared: null,
    example: 46.19,
  }),
  field('geo_lng', number(-180, 180), 'Longitude of the venue in degrees', {
    label: 'Longitude',
    cleared: null,
    example: -123.83,
  }),
  field('language', language, 'Language in which the text about the venue is written, as a BCP 47 tag', {
    label: 'Language',
    cleared: '',
    shownDefault: null,
    unlisted: true,
    example: 'en',
  }),
  field('exclusive', boolean, 'Whether the venue refuses events that overlap others there', {
    label: 'One event at a time',
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
