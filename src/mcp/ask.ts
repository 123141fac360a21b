import { NAMESPACE } from '../http/address.ts'
import type { InnerRequest, InnerResponse } from '../http/inner-request.ts'
import { RefusedRequest, type ToolFailure } from './failures.ts'
import type { ToolContext } from './tool.ts'

/** Path of events in the API. */
export const EVENTS = `/${NAMESPACE}/events`

/** Arguments by the parameters of routes that stand for them: a refusal names what was sent. */
export type ArgumentNames = Readonly<Record<string, string>>

/** Sends a request whose refusal names arguments. @throws as `ToolContext.request` */
export async function ask(
  { request }: ToolContext,
  asked: InnerRequest,
  names: ArgumentNames = {},
): Promise<InnerResponse> {
  try {
    return await request(asked)
  } catch (error) {
    throw error instanceof RefusedRequest ? Object.assign(error, { failure: renamed(error.failure, names) }) : error
  }
}

function renamed({ message, params, ...failure }: ToolFailure, names: ArgumentNames): ToolFailure {
  const words = Object.keys(names)
  if (params === undefined || words.length === 0)
    return { ...failure, message, ...(params !== undefined && { params }) }
  const pattern = new RegExp(`(?<![\\w.])(?:${words.join('|')})(?!\\w)`, 'g')
  const rename = (text: string): string => text.replace(pattern, (word) => names[word] ?? word)
  return { ...failure, message: rename(message), params: JSON.parse(rename(JSON.stringify(params))) as unknown }
}
