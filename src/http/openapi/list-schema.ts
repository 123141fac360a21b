import { address, integer, list, object, ref, type Schema } from './parts.ts'

/** The envelope of a list whose items are in `member` (wire: events 2.1, rest 2). */
export function listSchema(member: string, schema: string): Schema {
  const pageAt = (page: number): string =>
    `https://calendar.example/cal/events/v1/${member}/?page=${page}&per_page=1&status=publish`
  return object(
    'api.onePageList',
    {
      [member]: list('api.itemsPage', ref(schema)),
      rest_url: address('api.urlPage', pageAt(2)),
      next_rest_url: address('api.urlNextPageOmitted', pageAt(3)),
      previous_rest_url: address('api.urlPreviousPageOmitted', pageAt(1)),
      total: integer('api.total', 3),
      total_pages: integer('api.totalPages', 3),
    },
    [member, 'rest_url', 'total', 'total_pages'],
  )
}
