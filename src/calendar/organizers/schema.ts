import { named, open } from '../../http/openapi/parts.ts'
import { ORGANIZATION } from '../shared/json-ld-schema.ts'
import { content, entryMembers, IMAGE, LINKED_MEMBERS, requiredOfLinked } from '../shared/schema.ts'

const ENTRY = entryMembers('organizer')

/** An organizer as responses show it. */
export const ORGANIZER = named(
  'Organizer',
  open(
    'api.organizers.organizerFieldsWithoutValue',
    {
      ...ENTRY,
      ...LINKED_MEMBERS,
      organizer: content('api.nameHtmlEntities', 'Lower Bay Rowers'),
      phone: content('api.phoneNumber', '+1 555 0141'),
      website: content('api.urlWebsite', 'https://rowers.example/'),
      email: content('api.emailAddress', 'info@rowers.example'),
      language: content('api.languageTextBcp47', 'de-AT'),
      json_ld: ORGANIZATION,
    },
    requiredOfLinked(ENTRY),
  ),
  [IMAGE],
)
