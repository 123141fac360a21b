import { findEvent, recurrenceSentence, recursNoMore } from '../calendar/events/index.ts'
import { imagesOf } from '../calendar/shared/stored-image.ts'
import { mayRead } from '../http/auth/rights.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { Incoming } from '../http/route.ts'
import type { EventTable } from '../storage/schema.ts'
import { imageOf, type ShownImage, wholeImage } from './cards.ts'
import { inOwnLanguage, spokenIn, summaryOf } from './content.ts'
import type { PagesDeps } from './deps.ts'
import { eventPage } from './event-page.ts'
import { eventCalendarPage } from './feeds/calendar.ts'
import { html, type Markup, when } from './html.ts'
import { notFoundPage } from './not-found.ts'
import { contextOf, type PageContext, storedForm } from './page-context.ts'
import { redirectTo } from './redirects.ts'
import { showView, wantsCalendar } from './router.ts'
import type { Scope } from './scope.ts'

/**
 * An address that also names the day of an event: a further date of a series has its page there, others that of the event.
 * `isFile` for its iCalendar file.
 */
export async function occurrencePage(deps: PagesDeps, incoming: Incoming, isFile = false): Promise<PageResponse> {
  const { slug = '', date = '' } = incoming.path
  const selector = { by: 'slug', slug: `${slug}-${date}` } as const
  const further = await findEvent(deps.reader, storedForm(selector))
  if (further?.occasion?.page !== undefined) {
    if (isFile || wantsCalendar(incoming))
      return eventCalendarPage(deps, { ...incoming, path: { slug: selector.slug } })
    return eventPage(deps, incoming, selector)
  }
  const row = await findEvent(deps.reader, storedForm({ by: 'slug', slug }))
  if (row === undefined || row.status !== 'publish') return notFoundPage(deps, incoming)
  const { link } = contextOf(incoming)
  // All dates of a series, and a frame with the event, as sites called them that have moved here.
  const isSingle = row.occasion === undefined || recursNoMore(row.occasion.series)
  if (date === 'all') return redirectTo(link(`/${isSingle ? 'event' : 'series'}/${row.slug}/`))
  if (date === 'embed') return redirectTo(link(`/event/${row.slug}/?embed=1`))
  if (row.start_local.slice(0, 10) !== date) return notFoundPage(deps, incoming)
  return redirectTo(link(`/event/${row.slug}/${isFile ? 'ical/' : ''}`))
}

/** All dates of a recurring event. */
export async function seriesPages(deps: PagesDeps, incoming: Incoming): Promise<PageResponse> {
  const scope = await seriesScope(deps, incoming, incoming.path['slug'] ?? '')
  const rest = (incoming.path['*'] ?? '').split('/').filter((part) => part !== '')
  return showView(deps, incoming, { scope, rest })
}

/** The dates of a recurring event as a scope of views; undefined where this caller may read none of that slug. */
export async function seriesScope(deps: PagesDeps, incoming: Incoming, slug: string): Promise<Scope | undefined> {
  const row = await findEvent(deps.reader, storedForm({ by: 'slug', slug }))
  const series = row?.occasion?.series
  if (row === undefined || series === undefined) return undefined
  if (!mayRead(incoming.caller, { authorId: series.author_id, status: series.status })) return undefined
  const context = contextOf(incoming)
  const name = series.title.trim() || context.say('common.untitledEvent')
  const isOpen = series.password_hash === null
  const image = imageOf(series, (await imagesOf(deps.reader, [series])).get(series.id), context)
  const path = `/series/${series.slug}/`
  return {
    ...{ base: path, home: path, filter: { series: String(series.id) }, name },
    summary: isOpen ? summaryOf(series) : '',
    intro: seriesIntro(series, isOpen ? image : undefined, context),
    ...(isOpen && image !== undefined && { image: image.files[0].url }),
    dependencies: [
      { of: 'event' as const },
      ...(series.image_id === null ? [] : [{ of: 'media' as const, id: series.image_id }]),
    ],
    isPrivate: series.status !== 'publish',
  }
}

/** What all dates have in common: name, rule in words, beginning of the description and image; of what has a password, name and rule. */
function seriesIntro(series: EventTable, image: ShownImage | undefined, context: PageContext): Markup {
  const rule = recurrenceSentence(series, context.language)
  const summary = series.password_hash === null ? summaryOf(series) : ''
  const element = wholeImage(image, context, '(max-width: 60rem) 100vw, 24rem')
  return html`<div class="profile">
<div class="words">
<p class="kind">${context.say('common.allDates')}</p>
<h1>${inOwnLanguage(series.title.trim() || context.say('common.untitledEvent'), series.language)}</h1>
${when(rule !== undefined, () => html`<p class="rule">${rule ?? ''}</p>`)}
${when(summary !== '', () => html`<p${spokenIn(series.language)}>${summary}</p>`)}
</div>
${element}
</div>`
}
