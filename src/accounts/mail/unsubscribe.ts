import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whose mails of which topic somebody ends. */
export interface Unsubscription {
  readonly userId: number
  readonly topic: string
}

/** The token of a link that ends mails of a topic: it follows from the key of the site, so that every mail has the same. */
export function unsubscribeToken(secret: string, { userId, topic }: Unsubscription): string {
  return `${topic}.${userId}.${signature(secret, { userId, topic })}`
}

/** What a token ends; undefined where the site has not made it. */
export function readUnsubscribeToken(secret: string, token: string): Unsubscription | undefined {
  const [, topic = '', id = '', sent = ''] = /^([a-z]+)\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  const found = { userId: Number(id), topic }
  const expected = Buffer.from(signature(secret, found))
  const given = Buffer.from(sent)
  return given.length === expected.length && timingSafeEqual(given, expected) ? found : undefined
}

function signature(secret: string, { userId, topic }: Unsubscription): string {
  return createHmac('sha256', secret).update(`unsubscribe ${topic} ${userId}`).digest('base64url')
}
