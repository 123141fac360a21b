import { fail } from '../base/errors.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { Reader, Transaction } from './engine.ts'

/** The response to a request, as it is replayed. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is stored under an Idempotency-Key. */
export interface StoredKey {
  /** SHA-256 of method, target and body of the request, in base64url. */
  readonly fingerprint: string
  readonly response: StoredResponse
}

/** A key to be stored. */
export interface NewKey extends StoredKey {
  /** Stands for credentials and key, without revealing either. */
  readonly id: string
  /** User whose limit it counts against. */
  readonly owner: number
  /** Present moment, UTC text. */
  readonly at: string
}

/** How long a response is stored, milliseconds. */
const LIFETIME = 24 * 3600 * 1000

/** What was stored before this moment (UTC text) has expired; `now` is in Unix milliseconds. */
export function expiredBefore(now: number): string {
  return utcFromMillis(now - LIFETIME)
}

/** What one user may have stored at a time. */
const OWNER_LIMIT = { keys: 100_000, bytes: 256 * 1024 ** 2 } as const

/** Seconds after which a user who has reached the limit may retry. */
const TRY_AGAIN = 600

/** Rows that are deleted in one transaction. */
const DELETED_AT_ONCE = 500

/** What has been stored under a key since a moment (UTC text); undefined when nothing was. */
export async function findKey(
  reader: Reader,
  { id, since }: { readonly id: string; readonly since: string },
): Promise<StoredKey | undefined> {
  const query = reader.db.selectFrom('idempotency_key').select(['fingerprint', 'status', 'headers', 'body'])
  const row = await reader.first(query.where('id', '=', id).where('created_at', '>', since))
  if (row === undefined) return undefined
  const { fingerprint, status, headers, body } = row
  return { fingerprint, response: { status, headers: JSON.parse(headers) as Record<string, string>, body } }
}

/** Stores a key that `findKey` does not find in this transaction. @throws idempotency_limit */
export async function storeKey(tx: Transaction, { id, owner, at, fingerprint, response }: NewKey): Promise<void> {
  const { status, body } = response
  const headers = JSON.stringify(response.headers)
  const last = await edgeOf(tx, owner, 'desc')
  const first = await edgeOf(tx, owner, 'asc')
  const place = (last?.place ?? 0) + 1
  const bytes = (last?.bytes ?? 0) + body.length + headers.length
  if (place - (first?.place ?? place) >= OWNER_LIMIT.keys || bytes - (first?.bytes ?? 0) > OWNER_LIMIT.bytes)
    throw fail('idempotency_limit', { seconds: TRY_AGAIN })
  const row = { owner, place, bytes, created_at: at, fingerprint, status, headers, body }
  await tx.run(
    tx.db
      .insertInto('idempotency_key')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
  )
}

/** The oldest or newest key of a user; `bytes` is the sum over all keys up to it. */
function edgeOf(tx: Transaction, owner: number, direction: 'asc' | 'desc') {
  const query = tx.db.selectFrom('idempotency_key').select(['place', 'bytes']).where('owner', '=', owner)
  return tx.first(query.orderBy('place', direction).limit(1))
}

/** Deletes some keys that were stored until a moment (UTC text); whether there may be more. */
export async function deleteOldKeys(tx: Transaction, until: string): Promise<boolean> {
  const old = tx.db.selectFrom('idempotency_key').select('id').where('created_at', '<=', until).limit(DELETED_AT_ONCE)
  const { changes } = await tx.run(tx.db.deleteFrom('idempotency_key').where('id', 'in', old))
  return changes === DELETED_AT_ONCE
}
