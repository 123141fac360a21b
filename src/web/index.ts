import type { Page } from '../http/page.ts'
import { homePage } from './home.ts'
import { eventPage, linkedPage, termPage } from './items.ts'
import { missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'

/** The pages of the site: the start page, one for each item at the address in its `url`, and one for everything else. */
export function sitePages(parts: WebParts): readonly Page[] {
  return [
    { path: '/', show: (incoming) => homePage(parts, incoming) },
    { path: '/event/:slug', show: (incoming) => eventPage(parts, incoming, slugSelector(incoming.path)) },
    {
      path: '/venue/:slug',
      show: (incoming) => linkedPage(parts, incoming, { key: 'venue', ...slugSelector(incoming.path) }),
    },
    {
      path: '/organizer/:slug',
      show: (incoming) => linkedPage(parts, incoming, { key: 'organizer', ...slugSelector(incoming.path) }),
    },
    {
      path: '/events/category/*',
      show: (incoming) => termPage(parts, incoming, { key: 'category', slug: lastSegment(incoming.path) }),
    },
    {
      path: '/tag/:slug',
      show: (incoming) => termPage(parts, incoming, { key: 'tag', slug: incoming.path['slug'] ?? '' }),
    },
    { path: '*', show: async (incoming) => missingPage(parts, incoming) },
  ]
}

function slugSelector(path: Readonly<Record<string, string>>): { readonly by: 'slug'; readonly slug: string } {
  return { by: 'slug', slug: path['slug'] ?? '' }
}

/** Category addresses name the whole way down; the last segment is the category. */
function lastSegment(path: Readonly<Record<string, string>>): string {
  return (
    (path['*'] ?? '')
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? ''
  )
}
