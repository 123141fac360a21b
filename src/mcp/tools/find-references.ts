import { z } from 'zod'
import { READ_ONLY, tool } from '../tool.ts'

const KINDS = {
  venue: { path: '/cal/events/v1/venues', list: 'venues', name: 'venue' },
  organizer: { path: '/cal/events/v1/organizers', list: 'organizers', name: 'organizer' },
  category: { path: '/cal/events/v1/categories', list: 'categories', name: 'name' },
  tag: { path: '/cal/events/v1/tags', list: 'tags', name: 'name' },
} as const

/** Finds the IDs of venues, organizers, categories and tags. */
export const FIND_REFERENCES = tool({
  name: 'find_references',
  title: 'Find venues, organizers, categories and tags',
  description: 'Finds the IDs of venues, organizers, categories or tags by their name, for use in other tools.',
  scope: 'read',
  annotations: READ_ONLY,
  input: z.strictObject({
    kind: z.enum(['venue', 'organizer', 'category', 'tag']),
    text: z.string().min(1).max(200).optional().describe('Words of the name'),
    limit: z.int().min(1).max(50).default(20),
  }),
  output: z.strictObject({
    items: z.array(z.strictObject({ id: z.int(), name: z.string() })),
    total: z.int(),
  }),
  run: async ({ request }, { kind, text, limit }) => {
    const { path, list, name } = KINDS[kind]
    const query = { per_page: String(limit), ...(text !== undefined && { search: text }) }
    const body = (await request({ method: 'GET', path, query })).body as {
      readonly total: number
    } & Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
    const items = (body[list] ?? []).map((item) => ({ id: Number(item['id']), name: String(item[name]) }))
    return { items, total: body.total }
  },
})
