// The tables of users, of what they sign in with and of what they sent, beside those of the calendar in schema.ts.

/** A person or program that may sign in. */
export interface UserTable {
  id: number
  name: string
  name_folded: string
  email: string
  email_folded: string
  role: string
  display_name: string
  created_at: string
  disabled_at: string | null
}

/** An application password: only its keyed hash is stored. */
export interface ApplicationPasswordTable {
  id: number
  user_id: number
  name: string
  hash: string
  created_at: string
  revoked_at: string | null
  /** When it was used last, to some minutes, UTC text; null for never. */
  used_at: string | null
}

/** A token of a program: only the keyed hash of its secret is stored, and nothing of one that was revoked. */
export interface TokenTable {
  /** The eight characters by which it is found, a part of its text. */
  id: string
  user_id: number
  name: string
  /** Separated by spaces, see `TOKEN_SCOPES`. */
  scopes: string
  hash: string
  created_at: string
  /** UTC text; null for never. */
  expires_at: string | null
  /** Start of the hour in which it was used last, UTC text; null for never. */
  used_at: string | null
  /** Networks that it was used from, the latest last, separated by spaces. */
  networks: string
}

/** The response to a request with an Idempotency-Key, for a day. */
export interface IdempotencyKeyTable {
  /** Stands for credentials and key. */
  id: string
  /** User; the limits are for all keys of one. */
  owner: number
  /** 1, 2, 3 ... for each owner. */
  place: number
  /** Bytes of all keys of the owner up to this one, those that were deleted included. */
  bytes: number
  created_at: string
  /** SHA-256 of method, target and body, base64url. */
  fingerprint: string
  status: number
  /** JSON object. */
  headers: string
  body: string
}

/** The stored hash of the password with which a person signs in. */
export interface UserPasswordTable {
  user_id: number
  /** `argon2id:...`, see `hashPersonPassword`. */
  hash: string
  changed_at: string
}

/** A person who is signed in on a browser. */
export interface SessionTable {
  /** SHA-256 of the ID in the cookie, hexadecimal. */
  id: string
  user_id: number
  created_at: string
  expires_at: string
  /** The user agent of the browser at sign-in; '' for none. */
  agent: string
  /** Address from which it signed in. */
  address: string
  /** When it was used last, to the minute, UTC text; null for not since it started. */
  used_at: string | null
  /** When its person last proved who they are: at the sign-in, and again before what is sensitive. */
  authenticated_at: string
  /** Of its pages at sign-in; '' if unknown. */
  language: string
  /** The identity with which it started; null for other ways in. */
  identity_id: string | null
  /** What the provider of that identity calls its own session, its `sid`; null where it does not say. */
  provider_session: string | null
  /** The ID token, which the provider asks for at the sign-out. */
  id_token: string | null
}

/** A passkey of a person: the public half of a key pair. */
export interface PasskeyTable {
  /** As the authenticator calls it, base64url. */
  id: string
  user_id: number
  /** What the authenticator calls its person: random, and one for all passkeys of a user; base64url. */
  user_handle: string
  /** COSE key, base64url. */
  public_key: string
  /** Signatures so far; 0 for those that are synced between devices. */
  counter: number
  name: string
  created_at: string
  used_at: string | null
}

/** What a passkey is to sign: for five minutes, once. */
export interface ChallengeTable {
  /** SHA-256 of the challenge, hexadecimal. */
  id: string
  /** Whether a passkey is created with it or used. */
  kind: 'create' | 'get'
  /** Stands for the session, or for the cookie of a page without one. */
  bound_to: string
  /** Who gets the passkey; null where anybody may sign in. */
  user_id: number | null
  /** Of the passkey to create; '' where one is used. */
  user_handle: string
  expires_at: string
}

/** The keyed hash of a code that signs in once, for those who have no password. */
export interface RecoveryCodeTable {
  user_id: number
  hash: string
}

/** A link that works once: who opens it chooses a password, or confirms an address. */
export interface SignInLinkTable {
  /** SHA-256 of the token in the link, hexadecimal. */
  id: string
  user_id: number
  /** See `LinkPurpose`. */
  purpose: string
  created_at: string
  expires_at: string
  /** The new address that it confirms; ''. */
  detail: string
}

/** A mail that waits, or was sent, dropped or given up in the last 30 days. */
export interface MailTable {
  id: number
  /** See `MAILS`; `asked` for a login whose password was forgotten, until it is looked up. */
  kind: string
  /** User to whom it goes; null for others. */
  user_id: number | null
  address: string
  address_folded: string
  /** What must not lead to a second mail; null for anything that may happen again. */
  cause: string | null
  /** `<...>`. */
  message_id: string
  /** Sealed JSON of subject, text and HTML; null in every state but `waiting`. */
  content: string | null
  /** `dropped` where its link did not work any more before it was sent. */
  state: 'waiting' | 'sent' | 'failed' | 'dropped'
  attempts: number
  next_at: string
  created_at: string
  settled_at: string | null
  /** Why the last attempt failed; ''. */
  problem: string
}

/** What a user chose about mails of a topic. */
export interface MailChoiceTable {
  user_id: number
  topic: string
  choice: string
}

/** Up to which submitted event a reviewer was told by mail. */
export interface ReviewNoticeTable {
  user_id: number
  event_id: number
}

/** Somebody as a provider of single sign-on knows them, and who that is here. */
export interface IdentityTable {
  /** Follows from issuer and subject. */
  id: string
  issuer: string
  subject: string
  user_id: number
  /** What the provider calls them, for people to recognize: an address or a name; '' for nothing. */
  name: string
  created_at: string
  /** When it was last signed in with, UTC text; null for never. */
  used_at: string | null
}

/** A sign-in that a provider has been asked for, for ten minutes. */
export interface PendingSignInTable {
  /** SHA-256 of the state, hexadecimal. */
  id: string
  /** SHA-256 of the cookie of the browser that started it, hexadecimal. */
  browser: string
  /** ID of the provider. */
  provider: string
  nonce: string
  /** Of PKCE. */
  verifier: string
  /** Path of the administration that follows. */
  next: string
  /** Who wants to connect the identity; null for a sign-in. */
  user_id: number | null
  /** The link that was opened before; null for none. */
  link_id: string | null
  expires_at: string
}

/** A logout token that a provider has sent, so that it counts once. */
export interface UsedLogoutTokenTable {
  /** SHA-256 of issuer and `jti`, hexadecimal. */
  id: string
  expires_at: string
}
