import { fail } from '../../base/errors.ts'
import { isAddress } from '../../base/text/mailbox.ts'

/**
 * A username: 1 to 60 letters, digits, or one of `. _ -`. Without `@` it cannot be taken for someone's email address,
 * and without `:` it fits into HTTP Basic (RFC 7617).
 * @throws bad_user_name
 */
export function checkName(name: string): string {
  if (/^[\p{L}\p{M}\p{N}._-]{1,60}$/u.test(name)) return name
  throw fail('bad_user_name', { name })
}

/**
 * An email address of at most 254 characters. Its domain may be a single word, so that `admin@localhost` is one.
 * @throws bad_user_email
 */
export function checkEmail(email: string): string {
  if (isAddress(email)) return email
  throw fail('bad_user_email', { email })
}
