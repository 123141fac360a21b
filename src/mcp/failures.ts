import type { Failure } from '../base/errors.ts'
import type { InnerResponse } from '../http/inner-request.ts'
import { errorReply } from '../http/response/http-response.ts'

/** What a program learns of a call that failed. */
export interface ToolFailure {
  /** One of `docs/reference/errors.md`. */
  readonly code: string
  readonly status: number
  /** In the language of the caller. */
  readonly message: string
  readonly params?: unknown
  /** Seconds. */
  readonly retry_after?: number
}

/** A route has refused a request of a tool. */
export class RefusedRequest extends Error {
  readonly failure: ToolFailure

  constructor(response: InnerResponse) {
    super('a route has refused a request of a tool')
    this.failure = toldFailure(response)
  }
}

/** What is said of a failure; nothing of an error without a code. */
export function failureOf(error: unknown, language: string): ToolFailure {
  if (error instanceof RefusedRequest) return error.failure
  const { headers = {}, ...reply } = errorReply(error as Failure, language)
  return toldFailure({ ...reply, headers })
}

function toldFailure({ status, headers, body }: InnerResponse): ToolFailure {
  const { code, message, data } = body as {
    readonly code: string
    readonly message: string
    readonly data?: { readonly params?: unknown }
  }
  const seconds = Number(headers['retry-after'])
  return {
    code,
    status,
    message,
    ...(data?.params !== undefined && { params: data.params }),
    ...(seconds > 0 && { retry_after: seconds }),
  }
}
