/** A request as a client has sent it. */
export interface SentRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

/** What a site answers: a status and JSON, with headers; or an error that `fetch` throws. */
export type FakeAnswer =
  | Error
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** A site in the memory of a test: `fetch` answers requests for its root itself, all others with `answer`. */
export function fakeSite(
  namespaces: readonly string[],
  answer: (request: SentRequest, index: number) => FakeAnswer | Promise<FakeAnswer>,
): { readonly fetch: typeof fetch; readonly sent: SentRequest[] } {
  const sent: SentRequest[] = []
  const root = { name: 'Fake', timezone_string: 'Europe/Vienna', namespaces }
  return {
    sent,
    fetch: async (input, init) => {
      const { method, url, headers } = new Request(input, { ...init, redirect: 'follow' })
      const one: SentRequest = { method, url: new URL(url), headers, body: String(init?.body ?? '') }
      init?.signal?.throwIfAborted()
      if (/^\/(wp-json\/)?$/.test(one.url.pathname)) return Response.json(root)
      sent.push(one)
      const found = await answer(one, sent.length - 1)
      if (found instanceof Error) throw found
      const { status = 200, body = {} } = found
      const text = status === 304 ? null : JSON.stringify(body)
      return new Response(text, { status, headers: { 'content-type': 'application/json', ...found.headers } })
    },
  }
}
