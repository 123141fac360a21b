import type { FormPage, Page, PageResponse, Pages } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import { assetResponse, isAsset, themeSheet } from './assets.ts'
import type { PagesDeps } from './deps.ts'
import { builderPage } from './embed-builder.ts'
import { embedScript, oEmbed } from './embedding.ts'
import { eventPage, openedPage } from './event-page.ts'
import { eventCalendarPage } from './feeds/calendar.ts'
import { favicon, robots, securityText, sitemap } from './files.ts'
import { formerAddress } from './former-addresses.ts'
import { homePage } from './home.ts'
import { failedPage, notFoundPage } from './not-found.ts'
import { occurrencePage, seriesPages } from './occurrence-page.ts'
import { contextOf } from './page-context.ts'
import { redirectByRule, redirectTo } from './redirects.ts'
import { guidePage } from './reference/guides.ts'
import { referencePage } from './reference/page.ts'
import { eventsPage, linkedPages, searchPage, termPages, wantsCalendar } from './router.ts'

/** The pages of the site: the views of the calendar, one for each item at the address in its `url`, feeds, and what is missing. */
export function sitePages(deps: PagesDeps): Pages {
  return {
    pages: [...calendarPages(deps), ...itemPages(deps), ...filePages(deps)],
    forms: [referencePage(deps), ...passwordForms(deps)],
    notFound: (incoming) => notFoundPage(deps, incoming),
    moved: async (target, incoming) =>
      (await redirectByRule(deps, target, incoming.urls)) ?? formerAddress(deps, target, incoming),
    failed: (failure) => failedPage(deps, failure),
  }
}

function calendarPages(deps: PagesDeps): Page[] {
  return [
    { path: '/', show: (incoming) => homePage(deps, incoming) },
    { path: '/search', show: (incoming) => searchPage(deps, incoming) },
    { path: '/feed', show: (incoming) => eventsPage(deps, { ...incoming, path: { '*': 'feed' } }) },
    { path: '/events', show: (incoming) => eventsPage(deps, incoming) },
    { path: '/events/*', show: (incoming) => eventsPage(deps, incoming) },
    { path: '/events/category/*', show: (incoming) => termPages(deps, incoming, 'category') },
    { path: '/events/tag/*', show: (incoming) => termPages(deps, incoming, 'tag') },
    { path: '/tag/:slug', show: (incoming) => termPages(deps, incoming, 'tag') },
    { path: '/tag/:slug/*', show: (incoming) => termPages(deps, incoming, 'tag') },
  ]
}

function itemPages(deps: PagesDeps): Page[] {
  const bySlug = (incoming: Incoming) => {
    const selector = { by: 'slug', slug: incoming.path['slug'] ?? '' } as const
    return wantsCalendar(incoming) ? eventCalendarPage(deps, incoming) : eventPage(deps, incoming, selector)
  }
  return [
    { path: '/event/:slug', show: bySlug },
    { path: '/event/:slug/ical', show: (incoming) => eventCalendarPage(deps, incoming) },
    { path: '/event/:slug/:date', show: (incoming) => occurrencePage(deps, incoming) },
    { path: '/event/:slug/:date/ical', show: (incoming) => occurrencePage(deps, incoming, true) },
    { path: '/series/:slug', show: (incoming) => seriesPages(deps, incoming) },
    { path: '/series/:slug/*', show: (incoming) => seriesPages(deps, incoming) },
    ...(['venue', 'organizer'] as const).flatMap((key) =>
      [`/${key}/:slug`, `/${key}/:slug/*`].map(
        (path): Page => ({ path, show: (incoming) => linkedPages(deps, incoming, key) }),
      ),
    ),
  ]
}

/** Where the password of an event or of a date is sent. */
function passwordForms(deps: PagesDeps): FormPage[] {
  return ['/event/:slug', '/event/:slug/:date'].map(
    (path): FormPage => ({
      path,
      isPostOnly: true,
      isCostly: true,
      respond: ({ incoming }) => {
        const { slug = '', date } = incoming.path
        return openedPage(deps, incoming, { by: 'slug', slug: date === undefined ? slug : `${slug}-${date}` })
      },
    }),
  )
}

function filePages(deps: PagesDeps): Page[] {
  const now = (make: (incoming: Incoming) => PageResponse) => async (incoming: Incoming) => make(incoming)
  const orMissing = (answer: PageResponse | undefined, incoming: Incoming) => answer ?? notFoundPage(deps, incoming)
  return [
    {
      path: '/assets/:file',
      isUncounted: ({ file = '' }) => isAsset(file),
      show: now((incoming) => orMissing(assetResponse(incoming.path['file'] ?? ''), incoming)),
    },
    { path: '/theme.css', show: now(() => themeSheet(deps.site)) },
    { path: '/reference/guides/:name', show: now((incoming) => guidePage(deps, incoming)) },
    { path: '/embed', show: (incoming) => builderPage(deps, incoming) },
    { path: '/embed/calendar.js', show: now((incoming) => orMissing(embedScript(), incoming)) },
    { path: '/oembed', show: (incoming) => oEmbed(deps, incoming) },
    { path: '/favicon.ico', show: now(favicon) },
    { path: '/robots.txt', show: now(robots) },
    { path: '/.well-known/security.txt', show: now((incoming) => orMissing(securityText(deps, incoming), incoming)) },
    // As sites called it that have moved here.
    ...['/wp-sitemap.xml', '/sitemap_index.xml'].map(
      (path): Page => ({ path, show: now((incoming) => redirectTo(contextOf(incoming).link('/sitemap.xml'))) }),
    ),
    { path: '/sitemap.xml', show: async (incoming) => orMissing(await sitemap(deps, incoming, 0), incoming) },
    {
      path: '/sitemap-:number(^\\d{1,6}$).xml',
      show: async (incoming) => orMissing(await sitemap(deps, incoming, Number(incoming.path['number'])), incoming),
    },
  ]
}
