import type { FormPage, Page, PageResponse, Pages } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import { assetResponse, isAsset, themeSheet } from './assets.ts'
import { builderPage } from './embed-builder.ts'
import { embedScript, oEmbed } from './embedding.ts'
import { eventPage, openedPage } from './event-page.ts'
import { eventCalendarPage } from './feeds/calendar.ts'
import { favicon, robots, securityText, sitemap } from './files.ts'
import { formerAddress } from './former-addresses.ts'
import { homePage } from './home.ts'
import { failedPage, notFoundPage } from './not-found.ts'
import { occurrencePage, seriesPages } from './occurrence-page.ts'
import type { WebParts } from './parts.ts'
import { redirectByRule, redirectTo } from './redirects.ts'
import { guidePage } from './reference/guides.ts'
import { referencePage } from './reference/page.ts'
import { eventsPage, linkedPages, searchPage, termPages, wantsCalendar } from './router.ts'

/** The pages of the site: the views of the calendar, one for each item at the address in its `url`, feeds, and what is missing. */
export function sitePages(parts: WebParts): Pages {
  return {
    pages: [...calendarPages(parts), ...itemPages(parts), ...filePages(parts)],
    forms: [referencePage(parts), ...passwordForms(parts)],
    notFound: (incoming) => notFoundPage(parts, incoming),
    moved: async (target, incoming) =>
      (await redirectByRule(parts, target, incoming.urls)) ?? formerAddress(parts, target, incoming),
    failed: (failure) => failedPage(parts, failure),
  }
}

function calendarPages(parts: WebParts): Page[] {
  return [
    { path: '/', show: (incoming) => homePage(parts, incoming) },
    { path: '/search', show: (incoming) => searchPage(parts, incoming) },
    { path: '/feed', show: (incoming) => eventsPage(parts, { ...incoming, path: { '*': 'feed' } }) },
    { path: '/events', show: (incoming) => eventsPage(parts, incoming) },
    { path: '/events/*', show: (incoming) => eventsPage(parts, incoming) },
    { path: '/events/category/*', show: (incoming) => termPages(parts, incoming, 'category') },
    { path: '/events/tag/*', show: (incoming) => termPages(parts, incoming, 'tag') },
    { path: '/tag/:slug', show: (incoming) => termPages(parts, incoming, 'tag') },
    { path: '/tag/:slug/*', show: (incoming) => termPages(parts, incoming, 'tag') },
  ]
}

function itemPages(parts: WebParts): Page[] {
  const bySlug = (incoming: Incoming) => {
    const selector = { by: 'slug', slug: incoming.path['slug'] ?? '' } as const
    return wantsCalendar(incoming) ? eventCalendarPage(parts, incoming) : eventPage(parts, incoming, selector)
  }
  return [
    { path: '/event/:slug', show: bySlug },
    { path: '/event/:slug/ical', show: (incoming) => eventCalendarPage(parts, incoming) },
    { path: '/event/:slug/:date', show: (incoming) => occurrencePage(parts, incoming) },
    { path: '/event/:slug/:date/ical', show: (incoming) => occurrencePage(parts, incoming, true) },
    { path: '/series/:slug', show: (incoming) => seriesPages(parts, incoming) },
    { path: '/series/:slug/*', show: (incoming) => seriesPages(parts, incoming) },
    ...(['venue', 'organizer'] as const).flatMap((key) =>
      [`/${key}/:slug`, `/${key}/:slug/*`].map(
        (path): Page => ({ path, show: (incoming) => linkedPages(parts, incoming, key) }),
      ),
    ),
  ]
}

/** Where the password of an event or of a date is sent. */
function passwordForms(parts: WebParts): FormPage[] {
  return ['/event/:slug', '/event/:slug/:date'].map(
    (path): FormPage => ({
      path,
      isPostOnly: true,
      isCostly: true,
      respond: ({ incoming }) => {
        const { slug = '', date } = incoming.path
        return openedPage(parts, incoming, { by: 'slug', slug: date === undefined ? slug : `${slug}-${date}` })
      },
    }),
  )
}

function filePages(parts: WebParts): Page[] {
  const now = (make: (incoming: Incoming) => PageResponse) => async (incoming: Incoming) => make(incoming)
  const orMissing = (answer: PageResponse | undefined, incoming: Incoming) => answer ?? notFoundPage(parts, incoming)
  return [
    {
      path: '/assets/:file',
      isUncounted: ({ file = '' }) => isAsset(file),
      show: now((incoming) => orMissing(assetResponse(incoming.path['file'] ?? ''), incoming)),
    },
    { path: '/theme.css', show: now(() => themeSheet(parts.site)) },
    { path: '/reference/guides/:name', show: now((incoming) => guidePage(parts, incoming)) },
    { path: '/embed', show: (incoming) => builderPage(parts, incoming) },
    { path: '/embed/calendar.js', show: now((incoming) => orMissing(embedScript(), incoming)) },
    { path: '/oembed', show: (incoming) => oEmbed(parts, incoming) },
    { path: '/favicon.ico', show: now(favicon) },
    { path: '/robots.txt', show: now(robots) },
    { path: '/.well-known/security.txt', show: now((incoming) => orMissing(securityText(parts, incoming), incoming)) },
    // As sites called it that have moved here.
    ...['/wp-sitemap.xml', '/sitemap_index.xml'].map(
      (path): Page => ({ path, show: now(({ urls }) => redirectTo(urls.page('/sitemap.xml'))) }),
    ),
    { path: '/sitemap.xml', show: async (incoming) => orMissing(await sitemap(parts, incoming, 0), incoming) },
    {
      path: '/sitemap-:number(^\\d{1,6}$).xml',
      show: async (incoming) => orMissing(await sitemap(parts, incoming, Number(incoming.path['number'])), incoming),
    },
  ]
}
