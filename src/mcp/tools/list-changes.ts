import { z } from 'zod'
import { FOLLOWED } from '../../changes/feed/index.ts'
import { utcMoment } from '../project.ts'
import { id } from '../schemas.ts'
import { readTool } from '../tool.ts'

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
export const LIST_CHANGES = readTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Lists which events, venues, organizers, categories and tags have changed after a cursor. Without one it returns the cursor of the present state.',
  input: z.strictObject({
    since: z.string().min(1).max(64).optional().describe('The cursor of the previous result'),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: OUTPUT,
  run: async (context, { since, limit }) => {
    const asked = { method: 'GET', path: '/kalends/v1/changes', query: { limit, since } } as const
    const { body } = await context.request(asked)
    const { changes, cursor, more } = body as z.infer<typeof OUTPUT>
    const told = changes.map(({ seq, at, resource, id, action }) => ({ seq, at: utcMoment(at), resource, id, action }))
    return { changes: told, cursor, more }
  },
})
