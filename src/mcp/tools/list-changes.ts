import { z } from 'zod'
import { FOLLOWED } from '../../changes/feed/index.ts'
import { utcMoment } from '../project.ts'
import { id } from '../schemas.ts'
import { READ_ONLY, tool } from '../tool.ts'

const OUTPUT = z.strictObject({
  changes: z.array(
    z.strictObject({
      seq: z.int(),
      at: z.string(),
      resource: z.enum(FOLLOWED),
      id,
      action: z.enum(['created', 'updated', 'deleted']),
    }),
  ),
  cursor: z.string().describe('For since of the next call'),
  more: z.boolean(),
})

/** Lists what has changed. */
export const LIST_CHANGES = tool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Lists which events, venues, organizers, categories and tags have changed after a cursor. Without one it returns the cursor of the present state.',
  scope: 'read',
  annotations: READ_ONLY,
  input: z.strictObject({
    since: z.string().min(1).max(64).optional().describe('The cursor of the previous result'),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: OUTPUT,
  run: async (context, { since, limit }) => {
    const asked = { method: 'GET', path: '/kalends/v1/changes', query: { limit, since } } as const
    const { body } = await context.request(asked)
    const { changes, cursor, more } = body as z.infer<typeof OUTPUT>
    const told = changes.map((one) => ({
      ...{ seq: one.seq, at: utcMoment(one.at), resource: one.resource, id: one.id, action: one.action },
    }))
    return { changes: told, cursor, more }
  },
})
