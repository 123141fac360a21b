import { address, integer, list, object, ref, type Schema } from './parts.ts'

/** The envelope of a list whose items are in `member` (wire: events 2.1, rest 2). */
export function listSchema(member: string, schema: string): Schema {
  const pageAt = (page: number): string =>
    `https://calendar.example/cal/events/v1/${member}/?page=${page}&per_page=1&status=publish`
  return object(
    'One page of a list',
    {
      [member]: list('The items of the page', ref(schema)),
      rest_url: address('Address of this page', pageAt(2)),
      next_rest_url: address('Address of the next page; absent on the last', pageAt(3)),
      previous_rest_url: address('Address of the page before; absent on the first', pageAt(1)),
      total: integer('Number of items on all pages', 3),
      total_pages: integer('Number of pages', 3),
    },
    [member, 'rest_url', 'total', 'total_pages'],
  )
}
