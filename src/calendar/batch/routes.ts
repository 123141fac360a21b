import { type AnyRoute, route } from '../../http/route.ts'
import { boolean } from '../../model/kinds/boolean.ts'
import { field } from '../../model/kinds/field.ts'
import { countPasswords } from './passwords.ts'
import { batchRequests, MOST_REQUESTS } from './requests.ts'
import { type BatchDeps, runAtomic, runEach } from './run.ts'
import { BATCH_RESPONSES } from './schema.ts'

/** Most event passwords of a batch that is made as a whole: stretching each takes long, and other writes wait. */
const MOST_PASSWORDS = 10

const FIELDS = [
  field('requests', batchRequests, 'api.batch.up100RequestsEach', {
    required: true,
    example: [
      { id: 'venue', method: 'POST', path: '/venues', body: { venue: 'Hall' } },
      { method: 'POST', path: '/events/10', body: { venue: '$ref:venue.id' } },
    ],
  }),
  field('atomic', boolean, 'api.batch.whetherBatchAtomicEither', { default: true }),
] as const

/** The route that makes several requests at once. */
export function batchRoute(deps: BatchDeps): AnyRoute {
  return route({
    method: 'POST',
    path: '/batch',
    operation: 'runBatch',
    summary: 'api.batch.runBatchRequests',
    description: 'api.batch.runsUp100Requests',
    group: { name: 'batch', about: 'api.batch.batchesOfRequests' },
    pathFields: [],
    fields: FIELDS,
    hasBody: true,
    fillsDefaults: true,
    response: { status: 200, schema: BATCH_RESPONSES },
    errors: ['batch_failed', 'batch_too_much'],
    scope: 'events:write',
    open: (role) => role !== 'anonymous',
    counts: ({ sent }) => Math.min(Array.isArray(sent['requests']) ? sent['requests'].length : 1, MOST_REQUESTS),
    resolve: async ({ values }, _item, refusals) => {
      if (values.atomic === false || countPasswords(values.requests ?? []) <= MOST_PASSWORDS) return
      refusals.push({ name: 'requests', code: 'rest_invalid_param', reason: 'too_many_passwords' })
    },
    handle: (call) => (call.values.atomic === false ? runEach : runAtomic)(deps, call, call.values.requests ?? []),
  })
}
