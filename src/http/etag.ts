import { createHash } from 'node:crypto'
import type { Sendable } from './answer.ts'
import type { Reply } from './route.ts'

/** The request beside an answer, as far as validators look at it. */
interface Condition {
  readonly reply: Pick<Reply, 'secret'>
  readonly method: string
  /** If-None-Match header. */
  readonly ifNoneMatch: string | undefined
}

/** Length of a tag: 132 bits, so that two answers never share one by chance. */
const TAG_LENGTH = 22

/**
 * The answer with its validator, or 304 when the client has it already (RFC 9110 sections 8.8.3 and 13.1.2). The tag is
 * made of the body, so it follows everything an answer embeds. Answers that a password opened have none.
 */
export function conditional(answer: Sendable, { reply, method, ifNoneMatch }: Condition): Sendable {
  if (answer.status !== 200 || (method !== 'GET' && method !== 'HEAD') || reply.secret === true) return answer
  const tag = `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, TAG_LENGTH)}"`
  const headers = { ...answer.headers, etag: tag }
  if (!matches(ifNoneMatch, tag)) return { ...answer, headers }
  const { 'content-type': _type, ...kept } = headers as Record<string, string>
  return { status: 304, headers: kept, body: '' }
}

/** Whether a list of tags names this one; weak comparison, as If-None-Match asks for. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => {
    const named = part.trim()
    return named === '*' || named === tag || named === `W/${tag}`
  })
}
