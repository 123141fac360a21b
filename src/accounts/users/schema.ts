import { ROLES } from '../../http/auth/roles.ts'
import { flag, id, list, moment, named, object, open, ref, text, word } from '../../http/openapi/parts.ts'

/** The calling user in the shape of generic clients; the namespace of writers has no document. */
export const USER = named('User', open('The calling user', { id: id('Identifier', 2), name: text('Name', 'Ada') }))

/** A user as administrators see it. */
const ACCOUNT = named(
  'Account',
  object('A user', {
    id: id('Identifier of the user', 2),
    name: text('User name', 'ada'),
    display_name: text('Shown name', 'Ada Byron'),
    email: text('E-mail address', 'ada@example.org'),
    role: word('Role', ROLES),
    disabled: flag('Disabled'),
    created_at: moment('When the user was added, in UTC', '2027-04-17 09:30:00'),
  }),
)

/** Some users. */
export const ACCOUNTS = named('Accounts', object('Users', { users: list('By identifier', ref('Account')) }), [ACCOUNT])
