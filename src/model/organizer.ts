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
  field('author', positive, 'api.organizers.idUserWhoOwns', UNSET),
  field('date', siteDate, 'api.organizers.publicationDateOrganizerSites', UNSET),
  field('date_utc', utcDate, 'api.organizers.publicationDateOrganizerUtc', UNSET),
  field('organizer', name(), 'api.organizers.nameOrganizer', {
    label: 'fields.name',
    required: true,
    shownDefault: null,
    example: 'Lower Bay Rowers',
  }),
  field('description', html, 'api.organizers.descriptionOrganizer', { ...TEXT, label: 'fields.description' }),
  field('status', exactChoice(STATUSES, 'bad_status'), 'api.organizers.publicationStatusOrganizer', UNSET),
  field('phone', line, 'api.organizers.phoneNumberOrganizer', {
    label: 'fields.phone',
    ...TEXT,
    example: '+1 555 0141',
  }),
  field('website', website, 'api.organizers.urlOrganizersWebsite', {
    label: 'fields.website',
    ...TEXT,
    example: 'https://rowers.example/',
  }),
  field('email', email, 'api.organizers.emailAddressOrganizer', {
    label: 'fields.email',
    ...TEXT,
    declared: { type: 'string', format: 'email' },
    example: 'info@rowers.example',
  }),
  field('image', image, 'api.organizers.idUrlOrganizersImage', {
    label: 'fields.image',
    cleared: { by: 'none' },
    shownDefault: null,
  }),
  field('language', language, 'api.organizers.languageOrganizersDescriptionBcp', {
    label: 'fields.language',
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
