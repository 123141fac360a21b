import type { MessageId } from '../../base/i18n/translate.ts'
import {
  ABSENT,
  address,
  id,
  integer,
  links,
  named,
  object,
  one,
  open,
  type Schema,
  text,
  word,
} from '../../http/openapi/parts.ts'
import { COLORS } from '../../model/color.ts'

const API = 'https://calendar.example/cal/events/v1'

const TERM_URLS = named(
  'TermUrls',
  object(
    'api.terms.urlsApi',
    {
      self: address('api.terms.urlTerm', `${API}/categories/6`),
      collection: address('api.terms.urlList', `${API}/categories`),
      up: address('api.terms.urlParentCategoryOmitted', `${API}/categories/5`),
    },
    ['self', 'collection'],
  ),
)

const SHARED = {
  id: id('common.id', 6),
  name: text('api.nameHtmlEntities', 'Rowing', { minLength: 1 }),
  slug: text('api.partUrlIdentifiesItem', 'rowing', { minLength: 1 }),
  taxonomy: word('api.terms.taxonomyTerm', ['tribe_events_cat', 'post_tag']),
  description: text('api.descriptionAsHtml', 'On the bay'),
  count: integer('api.terms.numberPublishedEventsTerm', 1),
  urls: one('TermUrls', 'api.terms.urlsApi'),
} satisfies Readonly<Record<string, Schema>>

const COLOR = { type: 'string', enum: [...COLORS], description: 'api.terms.color', examples: ['teal'] }

const PARENT = integer('api.terms.idParentCategory0None', 5)

const EMBEDDED = {
  ...SHARED,
  parent: PARENT,
  term_group: { type: 'integer', const: 0, description: 'api.terms.always0' },
  term_taxonomy_id: id('api.terms.theIdAgain', 6),
  filter: { type: 'string', const: 'raw', description: 'api.terms.alwaysRaw' },
}

const OWN = {
  ...SHARED,
  meta: ABSENT,
  url: address('api.urlPublicPage', 'https://calendar.example/events/category/sports/rowing/'),
}

const LINKS = {
  _links: {
    ...links(['self', 'collection', 'about'], ['up']),
    description: 'api.terms.relatedLinksOnlyPresent',
  },
}

/** A term on its own, of one taxonomy; `_links` may be absent. */
function own(description: MessageId, taxonomy: string, more: Readonly<Record<string, Schema>>): Schema {
  const members = { ...OWN, taxonomy: { ...SHARED.taxonomy, enum: [taxonomy] }, ...more }
  return open(
    description,
    { ...members, ...LINKS, ...(taxonomy === 'tribe_events_cat' && { color: COLOR }) },
    Object.keys(members),
  )
}

/** A category or tag inside an event. */
export const TERM = named(
  'Term',
  open('api.terms.categoryTagEvent', { ...EMBEDDED, color: COLOR }, Object.keys(EMBEDDED)),
  [TERM_URLS],
)

/** Categories and tags on their own. */
export const OWN_TERMS = {
  category: named('Category', own('api.terms.anEventCategory', 'tribe_events_cat', { parent: PARENT }), [TERM_URLS]),
  tag: named('Tag', own('api.terms.anEventTag', 'post_tag', {}), [TERM_URLS]),
} as const
