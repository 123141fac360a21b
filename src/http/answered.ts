/** A request that was answered, for statistics: few different values of each member but the time. */
export interface Answered {
  /** Template of the route with its namespace, `/cal/events/v1/events/:id`; `none` where there is no route. */
  readonly route: string
  readonly method: string
  /** The class of the status: `2xx`. */
  readonly status: string
  readonly seconds: number
}

/** What is said of a request by whoever does not take the time. */
export type Untimed = Omit<Answered, 'seconds'>

/** The class of a status: `2xx`. */
export function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/** What a request and the answer to it say of themselves in the terms of the framework. */
export interface AnsweredExchange {
  readonly request: { readonly method: string; readonly routeOptions: { readonly url?: string | undefined } }
  /** `elapsedTime` in milliseconds. */
  readonly reply: { readonly statusCode: number; readonly elapsedTime: number }
}

/** A request that was answered. */
export function answeredOf({ request, reply }: AnsweredExchange): Answered {
  // The router writes what a parameter may be behind its name.
  const route = request.routeOptions.url?.replace(/\(.*?\)/g, '') ?? 'none'
  return { route, method: request.method, status: classOf(reply.statusCode), seconds: reply.elapsedTime / 1000 }
}
