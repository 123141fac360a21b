import type { PageResponse } from '../../http/html-page.ts'
import { feedsOf, type ViewRequest } from '../views/view.ts'
import { feedEntries, feedTitle } from './entries.ts'

/** The events to come of a scope as JSON Feed 1.1. */
export async function jsonFeed(view: ViewRequest): Promise<PageResponse> {
  const { context } = view
  const { home, json } = feedsOf(view)
  const { entries, freshness } = await feedEntries(view)
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feedTitle(view),
    home_page_url: home,
    feed_url: json,
    language: context.language,
    items: entries.map((entry) => ({
      id: entry.url,
      url: entry.url,
      title: entry.title,
      content_html: entry.content,
      date_published: `${entry.published.replace(' ', 'T')}Z`,
      date_modified: `${entry.modified.replace(' ', 'T')}Z`,
      ...(entry.image !== undefined && { image: entry.image }),
      ...(entry.language !== '' && { language: entry.language }),
      ...(entry.categories.length > 0 && { tags: entry.categories }),
    })),
  }
  const headers = { 'access-control-allow-origin': '*' }
  return { status: 200, body: JSON.stringify(feed), type: 'application/feed+json; charset=utf-8', freshness, headers }
}
