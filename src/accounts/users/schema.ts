import { ROLES } from '../../http/auth/rights.ts'
import { flag, id, list, moment, named, object, open, ref, text, word } from '../../http/openapi/parts.ts'

/** The calling user in the shape of generic clients; the namespace of writers has no document. */
export const USER = named('User', open('api.users.aUser', { id: id('common.id', 2), name: text('fields.name', 'Ada') }))

/** A user as administrators see it. */
const ACCOUNT = named(
  'Account',
  object('api.users.aUser', {
    id: id('api.users.idUser', 2),
    name: text('common.username', 'ada'),
    display_name: text('common.displayName', 'Ada Byron'),
    email: text('api.emailAddress', 'ada@example.org'),
    role: word('common.role', ROLES),
    disabled: flag('common.disabled'),
    created_at: moment('api.users.timeWhenUserAdded', '2027-04-17 09:30:00'),
  }),
)

/** Some users. */
export const ACCOUNTS = named('Accounts', object('common.users', { users: list('api.sortedById', ref('Account')) }), [
  ACCOUNT,
])
