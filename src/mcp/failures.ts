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

/** Longest message, and members and characters of texts of `params`. */
const [MESSAGE_SHOWN, PARAMS_SHOWN, TEXT_SHOWN] = [2_000, 20, 300]

/** What a failure says of its causes, whose texts may quote what was sent. */
function shortened(params: unknown): unknown {
  if (typeof params === 'string') return params.slice(0, TEXT_SHOWN).toWellFormed()
  if (Array.isArray(params)) return params.slice(0, PARAMS_SHOWN).map(shortened)
  if (typeof params !== 'object' || params === null) return params
  const shown = Object.entries(params).slice(0, PARAMS_SHOWN)
  return Object.fromEntries(shown.map(([name, value]) => [name, shortened(value)]))
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
    message: message.slice(0, MESSAGE_SHOWN).toWellFormed(),
    ...(data?.params !== undefined && { params: shortened(data.params) }),
    ...(seconds > 0 && { retry_after: seconds }),
  }
}
