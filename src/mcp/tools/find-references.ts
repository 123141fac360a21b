import { z } from 'zod'
import { NAMESPACE } from '../../http/address.ts'
import { plainLine } from '../plain.ts'
import { lineOf, type WireVenue } from '../project.ts'
import { cursor, id, next } from '../schemas.ts'
import { readTool } from '../tool.ts'
import { readRows } from './pages.ts'

const NAME = 'find_references'

/** Where items are listed, and how those whose name is sought are sorted. */
const KINDS = {
  venue: { member: 'venues', sorting: { orderby: 'title' } },
  organizer: { member: 'organizers', sorting: { orderby: 'title' } },
  category: { member: 'categories', sorting: { orderby: 'name', hide_empty: 'false' } },
  tag: { member: 'tags', sorting: { orderby: 'name', hide_empty: 'false' } },
} as const

const ITEM = z.strictObject({ id, name: z.string(), address: z.string().optional(), city: z.string().optional() })

/** Finds the IDs of venues, organizers, categories and tags. */
export const FIND_REFERENCES = readTool({
  name: NAME,
  title: 'Find venues, organizers, categories and tags',
  description: 'Finds the IDs of venues, organizers, categories or tags, by their names, for use in other tools.',
  input: z.strictObject({
    kind: z.enum(['venue', 'organizer', 'category', 'tag']),
    text: z.string().min(1).max(256).optional().describe('Words that all occur in the item'),
    limit: z.int().min(1).max(50).default(20),
    cursor: cursor.optional(),
  }),
  output: z.strictObject({ items: z.array(ITEM), total: z.int(), cursor: next }),
  run: async (context, args) => {
    const { member, sorting } = KINDS[args.kind]
    const query = () => ({ ...sorting, search: args.text })
    const list = {
      tool: NAME,
      path: `/${NAMESPACE}/${member}`,
      member,
      query,
      names: { search: 'text' },
      rowOf: itemOf,
    }
    const { rows, ...page } = await readRows(context, list, args)
    return { items: [...rows], ...page }
  },
})

function itemOf(item: WireVenue): z.infer<typeof ITEM> {
  const name = plainLine(item.venue ?? item.organizer ?? item.name)
  return { id: item.id, name, address: lineOf(item.address), city: lineOf(item.city) }
}
