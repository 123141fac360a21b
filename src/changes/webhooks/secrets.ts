import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookTable } from '../../storage/schema.ts'

const PREFIX = 'whsec_'

/** Bytes of a secret; Standard Webhooks has 24 to 64. */
const LENGTH = 32

/** Milliseconds that a former secret continues signing beside the new one. */
export const ROTATION = 86_400_000

/** A new secret: `whsec_` and base64, as libraries for Standard Webhooks take it. */
export function makeSecret(): string {
  return PREFIX + randomBytes(LENGTH).toString('base64')
}

/** A new identifier of a message. */
export function makeMessageId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`
}

/** What is signed: a message as it is sent. */
export interface Signed {
  /** Header `webhook-id`. */
  readonly message: string
  /** Header `webhook-timestamp`, Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The header `webhook-signature`: `v1,` and the base64 of an HMAC with SHA-256; two of them, the newer one first, while a
 * former secret is valid at a moment, UTC text.
 */
export function signatureOf(
  { secret, former_secret, former_until }: Pick<WebhookTable, 'secret' | 'former_secret' | 'former_until'>,
  { message, timestamp, body }: Signed,
  at: string,
): string {
  const secrets = former_until !== null && former_until > at ? [secret, former_secret] : [secret]
  const signed = `${message}.${timestamp}.${body}`
  return secrets
    .map((one) =>
      createHmac('sha256', Buffer.from(one.slice(PREFIX.length), 'base64'))
        .update(signed)
        .digest('base64'),
    )
    .map((digest) => `v1,${digest}`)
    .join(' ')
}
