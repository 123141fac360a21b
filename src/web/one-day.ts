import { mayRead } from '../auth/rights.ts'
import { findEvent } from '../events/index.ts'
import type { PageResponse } from '../http/page.ts'
import type { Incoming } from '../http/route.ts'
import { eventPage } from './event-page.ts'
import { hereOf } from './here.ts'
import { html } from './html.ts'
import { missingPage } from './missing.ts'
import type { WebParts } from './parts.ts'
import { storedForm } from './paths.ts'
import { redirectTo } from './redirects.ts'
import { showView } from './router.ts'

/** An address that also names the day of an event: a further date of a series has its page there, others that of the event. */
export async function oneDay(parts: WebParts, incoming: Incoming): Promise<PageResponse> {
  const { slug = '', date = '' } = incoming.path
  const selector = { by: 'slug', slug: `${slug}-${date}` } as const
  const further = await findEvent(parts.reader, storedForm(selector))
  if (further?.occasion?.page !== undefined) return eventPage(parts, incoming, selector)
  const row = await findEvent(parts.reader, storedForm({ by: 'slug', slug }))
  if (row === undefined || row.status !== 'publish' || row.start_local.slice(0, 10) !== date) {
    return missingPage(parts, incoming)
  }
  return redirectTo(hereOf(incoming).link(`/event/${row.slug}/`))
}

/** All dates of a recurring event. */
export async function seriesPages(parts: WebParts, incoming: Incoming): Promise<PageResponse> {
  const row = await findEvent(parts.reader, storedForm({ by: 'slug', slug: incoming.path['slug'] ?? '' }))
  const series = row?.occasion?.series
  if (row === undefined || series === undefined) return missingPage(parts, incoming)
  if (!mayRead(incoming.caller, { authorId: series.author_id, status: series.status })) {
    return missingPage(parts, incoming)
  }
  const { say } = hereOf(incoming)
  const name = series.title.trim() || say('Untitled event')
  const path = `/series/${series.slug}/`
  const scope = {
    ...{ base: path, home: path, filter: { series: String(series.id) }, name, summary: '' },
    intro: html`<div class="profile"><div class="words"><h1>${name}</h1></div></div>`,
    dependencies: [{ of: 'event' as const }],
    isPrivate: series.status !== 'publish',
  }
  const rest = (incoming.path['*'] ?? '').split('/').filter((part) => part !== '')
  return showView(parts, incoming, { scope, rest })
}
