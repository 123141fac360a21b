import type { AccessToken } from './manage.ts'

/** A token as responses show it. */
export function presentToken({ id, name, scopes, createdAt, expiresAt, usedAt }: AccessToken) {
  return { id, name, scopes, created_at: createdAt, expires_at: expiresAt, last_used_at: usedAt }
}

/** What the audit says of a token. */
export function aboutToken({ id, name, scopes, user }: AccessToken) {
  return { user, tokenId: id, label: name, scopes: scopes.join(' ') }
}
