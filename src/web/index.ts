import type { Incoming } from '../http/dispatch.ts'
import type { Pages } from '../http/page.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { eventPage } from './event-page.ts'
import { homePage } from './home.ts'
import { linkedPage } from './linked-page.ts'
import { failedPage, missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'
import { termPage } from './term-page.ts'

/** The pages of the site: the start page, one for each item at the address in its `url`, and those for what is missing. */
export function sitePages(parts: WebParts): Pages {
  const linked = (key: 'venue' | 'organizer') => (incoming: Incoming) =>
    linkedPage(parts, incoming, { key, by: 'slug', slug: slugOf(incoming) })
  return {
    pages: [
      { path: '/', show: (incoming) => homePage(parts, incoming) },
      { path: '/:language', show: async (incoming) => languagePage(parts, incoming) },
      { path: '/event/:slug', show: (incoming) => eventPage(parts, incoming, { by: 'slug', slug: slugOf(incoming) }) },
      { path: '/venue/:slug', show: linked('venue') },
      { path: '/organizer/:slug', show: linked('organizer') },
      {
        path: '/events/category/*',
        show: (incoming) => termPage(parts, incoming, { key: 'category', slug: lastSegment(incoming.path) }),
      },
      { path: '/tag/:slug', show: (incoming) => termPage(parts, incoming, { key: 'tag', slug: slugOf(incoming) }) },
    ],
    missing: (incoming) => missingPage(parts, incoming),
    failed: (failure) => failedPage(parts, failure),
  }
}

/** The index names the address above it, which may be that of a language: `/de/` is the start page. */
async function languagePage(parts: WebParts, incoming: Incoming) {
  const language = (incoming.path['language'] ?? '').toLowerCase()
  return LANGUAGES.some((one) => one === language) ? homePage(parts, incoming) : missingPage(parts, incoming)
}

function slugOf({ path }: Incoming): string {
  return path['slug'] ?? ''
}

/** Category addresses name the whole way down; the last segment is the category. */
function lastSegment(path: Readonly<Record<string, string>>): string {
  const segments = (path['*'] ?? '').split('/').filter((part) => part !== '')
  return segments.at(-1) ?? ''
}
