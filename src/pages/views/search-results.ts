import type { MessageId } from '../../base/i18n/translate.ts'
import { type EventWithRelations, NAMED_KINDS, type NamedKind, searchedNames } from '../../calendar/events/index.ts'
import { ANONYMOUS } from '../../http/auth/rights.ts'
import { RESOURCES } from '../../model/resource.ts'
import { eventCard } from '../event-cards.ts'
import { html, type Markup, NOTHING, when } from '../html.ts'
import type { ListShown } from './list-body.ts'
import { choosesStatus, listBackwards, listDefaults } from './listing.ts'
import { ask, upcoming } from './question.ts'
import { questionOf, type ViewRequest } from './view.ts'

/** Events of each group behind those that take place. */
const MOST = 10

const HEADINGS: Readonly<Record<NamedKind, MessageId>> = {
  venue: 'pages.places',
  organizer: 'fields.organizers',
  category: 'fields.categories',
  tag: 'fields.tags',
}

/** Venues, organizers and terms that have the words of a search in their names, above its events. */
export async function foundNames({ deps, context, incoming }: ViewRequest, words: string): Promise<ListShown['above']> {
  if (incoming.query['page'] !== undefined) return undefined
  const { text, isCorrected, names } = await searchedNames(deps, { caller: ANONYMOUS, text: words })
  const { say } = context
  const groups = NAMED_KINDS.map((kind) => {
    const items = names[kind].map(({ slug, name, place }) => {
      const address = place.length === 0 ? NOTHING : html` <span class="mute"><bdi>${place.join(', ')}</bdi></span>`
      return html`<li><a href="${context.link(`/${RESOURCES[kind].page}/${slug}/`)}"><bdi>${name}</bdi></a>${address}</li>\n`
    })
    return when(
      items.length > 0,
      () => html`<section class="found"><h2>${say(HEADINGS[kind])}</h2>\n<ul>${items}</ul></section>\n`,
    )
  })
  const note = when(isCorrected, () => html`<p class="note">${say('pages.resultsFor', { words: text })}</p>\n`)
  const markup = html`${note}${groups}<h2 class="section">${say('common.events')}</h2>\n`
  return { markup, dependencies: NAMED_KINDS.map((of) => ({ of })) }
}

/** What a search finds beside what takes place: canceled events unless it chose a status, and those that are over, the latest first. */
export async function setAside(
  view: ViewRequest,
  { words, isOver }: { words: string; isOver: boolean },
): Promise<Markup> {
  const { say } = view.context
  const canceled = choosesStatus(view) ? [] : await canceledEvents(view, words)
  const past = isOver ? [] : (await listBackwards(view, words)).dated.slice(0, MOST)
  return html`${group(view, say('common.canceled'), canceled)}${group(view, say('pages.pastEvents'), past)}`
}

async function canceledEvents(view: ViewRequest, words: string): Promise<readonly EventWithRelations[]> {
  const { deps, incoming } = view
  const { hide_subsequent_recurrences: once = 'true' } = listDefaults(view, words)
  const canceled = { about: words, event_status: 'canceled', hide_subsequent_recurrences: once, per_page: String(MOST) }
  const found = await ask(questionOf(view, { ...canceled, ...upcoming(deps.site.zone, incoming.now).set }))
  return found.events(found.ids)
}

function group(
  { context, deps: { site } }: ViewRequest,
  heading: string,
  events: readonly EventWithRelations[],
): Markup {
  if (events.length === 0) return NOTHING
  const cards = events.map((event) => eventCard(event, { context, site, day: '' }))
  return html`<h2 class="section">${heading}</h2>\n<ul class="cards alone">${cards}</ul>\n`
}
