import { named, open } from '../../http/openapi/parts.ts'
import { ORGANIZATION } from '../shared/json-ld-schema.ts'
import { content, entryMembers, IMAGE, LINKED_MEMBERS, requiredOfLinked } from '../shared/schema.ts'

const ENTRY = entryMembers('organizer')

/** An organizer as responses show it. */
export const ORGANIZER = named(
  'Organizer',
  open(
    'An organizer. Members without content are absent',
    {
      ...ENTRY,
      ...LINKED_MEMBERS,
      organizer: content('Name, with &, < and > as HTML entities', 'Lower Bay Rowers'),
      phone: content('Telephone number', '+1 555 0141'),
      website: content('Address of its web site', 'https://rowers.example/'),
      email: content('E-mail address', 'info@rowers.example'),
      language: content('Language in which it is written (BCP 47)', 'de-AT'),
      json_ld: ORGANIZATION,
    },
    requiredOfLinked(ENTRY),
  ),
  [IMAGE],
)
