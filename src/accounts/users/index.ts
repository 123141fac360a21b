/** The module for users: people and programs that may sign in, and their application passwords. */

export { momentOf, recordUser, type SignInNotice, type User, type UserBook, userNamed } from './book.ts'
export { userLookup } from './lookup.ts'
export type { ApplicationPassword, NewPassword } from './passwords.ts'
export { addPassword, listPasswords, revokePassword } from './passwords.ts'
export type { NewUser } from './people.ts'
export {
  addFirstAdministrator,
  addUser,
  changeNames,
  disableUser,
  enableUser,
  findLogin,
  findUserById,
  listUsers,
  setRole,
} from './people.ts'
export { accountsRoute, userRoutes } from './routes.ts'
export { hasUsers, PASSWORD_USES } from './store.ts'
