import type { EventWithRelations } from '../../calendar/events/index.ts'
import type { Freshness } from '../../http/route.ts'
import { addressOf, imageOf, placeText, titleOf } from '../cards.ts'
import { statusBanner } from '../content.ts'
import { time } from '../dates.ts'
import { ask, freshUntil, upcoming } from '../views/question.ts'
import { questionOf, type ViewRequest } from '../views/view.ts'

/** Events of a feed. */
const FEED_SIZE = 50

/** An event as feeds have it. */
export interface FeedEntry {
  readonly id: number
  readonly title: string
  readonly url: string
  /** HTML: what has become of it where something has, when and where, then the description. */
  readonly content: string
  /** Publication, UTC: `2026-11-20 18:00:00`. */
  readonly published: string
  readonly modified: string
  readonly image?: string
  readonly categories: readonly string[]
  /** Of title and description; '' when it is not known. */
  readonly language: string
}

/** The events to come of a scope, for readers of feeds. */
export async function feedEntries(
  view: ViewRequest,
): Promise<{ readonly entries: readonly FeedEntry[]; readonly freshness: Freshness | undefined }> {
  const { deps, incoming, scope } = view
  const { set, until } = upcoming(deps.site.zone, incoming.now)
  const size = String(Math.min(FEED_SIZE, deps.site.perPageMax))
  const found = await ask(questionOf(view, { ...set, per_page: size }))
  const events = await found.events(found.ids)
  const used = [...scope.dependencies, ...events.flatMap((event) => event.dependencies)]
  return { entries: events.map((event) => entryOf(event, view)), freshness: freshUntil(found.freshness, used, until) }
}

function entryOf(event: EventWithRelations, { context }: ViewRequest): FeedEntry {
  const { row, picture, categories } = event
  const place = placeText(event, context)
  const image = imageOf(row, picture, context)
  const escaped = place.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return {
    id: row.id,
    title: titleOf(event, context),
    url: context.absolute(addressOf(event, context)),
    content: `${statusBanner(row, context).markup}<p>${time(context, row).markup}${place === '' ? '' : `<br>${escaped}`}</p>${row.description}`,
    published: row.published_at,
    modified: row.modified_at,
    ...(image !== undefined && { image: context.absolute(image.files[0].url) }),
    categories: categories.map(({ name }) => name),
    language: row.language,
  }
}

/** The name of a feed. */
export function feedTitle({ deps, scope }: ViewRequest): string {
  return scope.name === '' ? deps.site.name : `${scope.name} – ${deps.site.name}`
}
