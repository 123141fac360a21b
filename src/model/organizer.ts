import {
  email as emailColumn,
  html as htmlColumn,
  language as languageColumn,
  line as lineColumn,
  link,
} from './column.ts'
import { email, website } from './kinds/address.ts'
import { exactChoice } from './kinds/choice.ts'
import { siteDate, utcDate } from './kinds/date.ts'
import { field } from './kinds/field.ts'
import { image } from './kinds/image.ts'
import { positive } from './kinds/integer.ts'
import { language } from './kinds/language.ts'
import { html, line, name } from './kinds/text.ts'
import { STATUSES } from './status.ts'

const UNSET = { shownDefault: null } as const
const TEXT = { cleared: '', shownDefault: null } as const

/** The fields of an organizer in the interface's order (interface: Organizer). */
export const ORGANIZER_FIELDS = [
  field('author', positive, 'Identifier of the user who owns the organizer', UNSET),
  field('date', siteDate, 'When the organizer is published, in the zone of the site', UNSET),
  field('date_utc', utcDate, 'When the organizer is published, in UTC', UNSET),
  field('organizer', name(), 'Name of the organizer', {
    label: 'Name',
    required: true,
    shownDefault: null,
    example: 'Lower Bay Rowers',
  }),
  field('description', html, 'Text about the organizer', { ...TEXT, label: 'Description' }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'State of the organizer', UNSET),
  field('phone', line, 'Telephone number of the organizer', { label: 'Phone', ...TEXT, example: '+1 555 0141' }),
  field('website', website, 'Address of the web site of the organizer', {
    label: 'Website',
    ...TEXT,
    example: 'https://rowers.example/',
  }),
  field('email', email, 'E-mail address of the organizer', {
    label: 'E-mail',
    ...TEXT,
    declared: { type: 'string', format: 'email' },
    example: 'info@rowers.example',
  }),
  field('image', image, 'Identifier or address of the picture of the organizer', {
    label: 'Picture',
    cleared: { by: 'none' },
    shownDefault: null,
  }),
  field('language', language, 'Language in which the text about the organizer is written, as a BCP 47 tag', {
    label: 'Language',
    cleared: '',
    shownDefault: null,
    unlisted: true,
    example: 'en',
  }),
] as const

/** What people write about an organizer, as columns in the order of the response; `name` holds the field `organizer`. */
export const ORGANIZER_COLUMNS = {
  name: lineColumn,
  description: htmlColumn,
  phone: lineColumn,
  website: link,
  email: emailColumn,
  language: languageColumn,
} as const
