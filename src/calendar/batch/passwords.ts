import { type BatchRequest, isObject } from './requests.ts'

/** How many requests of a batch set or try the password of an event. */
export function countPasswords(requests: readonly BatchRequest[]): number {
  return requests.filter(({ body, path }) => (isObject(body) && 'password' in body) || /password/i.test(path)).length
}

/** The passwords that these requests set or try, each once; those from earlier responses are not known yet. */
export function passwordsIn(requests: readonly BatchRequest[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { method, body, path } of requests) {
    const [, query = ''] = path.split('?', 2)
    const sent = method !== 'GET' && isObject(body) ? body['password'] : new URLSearchParams(query).get('password')
    if (typeof sent === 'string' && sent !== '' && !sent.includes('$ref:')) found.add(sent)
  }
  return found
}
