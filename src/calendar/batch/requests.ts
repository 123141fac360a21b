import type { Method } from '../../http/route.ts'
import { type Kind, refuse } from '../../model/kinds/kind.ts'

/** One request of a batch as it was sent; references in it are not resolved. */
export interface BatchRequest {
  /** By which later requests refer to its response; absent where none does. */
  readonly id?: string
  readonly method: Method
  /** Address below the namespace of the interface, or with a namespace: `/events/10`. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Most requests of a batch. */
export const MOST_REQUESTS = 100

/** Longest path, in characters. */
const PATH_LIMIT = 2000

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const ID = /^[\w-]{1,64}$/

/** The requests of a batch, in order. */
export const batchRequests: Kind<readonly BatchRequest[]> = {
  declared: { type: 'array', items: { type: 'object' } },
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: MOST_REQUESTS,
    items: {
      type: 'object',
      properties: {
        id: { type: 'string', pattern: ID.source },
        method: { type: 'string', enum: METHODS },
        path: { type: 'string', minLength: 1, maxLength: PATH_LIMIT },
        body: { type: 'object' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['method', 'path'],
    },
  },
  parse(value) {
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_REQUESTS) return refuse('bad_batch')
    const requests = value.map(readRequest)
    const known = requests.filter((one) => one !== undefined)
    const ids = known.flatMap(({ id }) => id ?? [])
    const isSound = known.length === value.length && new Set(ids).size === ids.length
    return isSound ? { ok: true, value: known } : refuse('bad_batch')
  },
}

function readRequest(value: unknown): BatchRequest | undefined {
  if (!isObject(value)) return undefined
  const { id, method: sent, path, body = {}, headers = {} } = value
  const method = METHODS.find((one) => typeof sent === 'string' && one === sent.toUpperCase())
  if (method === undefined || typeof path !== 'string' || path === '' || path.length > PATH_LIMIT) return undefined
  if (id !== undefined && (typeof id !== 'string' || !ID.test(id))) return undefined
  if (!isObject(body) || !isObject(headers)) return undefined
  const pairs = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), String(text)] as const)
  return { ...(id !== undefined && { id }), method, path, body, headers: Object.fromEntries(pairs) }
}

/** Whether a value is an object with names. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
