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

const API = 'https://calendar.example/cal/events/v1'

const TERM_URLS = named(
  'TermUrls',
  object(
    'Addresses in this interface',
    {
      self: address('Address of the term', `${API}/categories/6`),
      collection: address('Address of the list', `${API}/categories`),
      up: address('Address of the category above; absent at the top', `${API}/categories/5`),
    },
    ['self', 'collection'],
  ),
)

const SHARED = {
  id: id('Identifier', 6),
  name: text('Name, with &, < and > as HTML entities', 'Rowing', { minLength: 1 }),
  slug: text('Part of the address that names it', 'rowing', { minLength: 1 }),
  taxonomy: word('What kind of term it is', ['tribe_events_cat', 'post_tag']),
  description: text('Text, as HTML', 'On the bay'),
  count: integer('Number of published events with the term', 1),
  urls: one('TermUrls', 'Addresses in this interface'),
} satisfies Readonly<Record<string, Schema>>

const PARENT = integer('Identifier of the category above; 0 for none', 5)

const EMBEDDED = {
  ...SHARED,
  parent: PARENT,
  term_group: { type: 'integer', const: 0, description: 'Always 0' },
  term_taxonomy_id: id('The identifier once more', 6),
  filter: { type: 'string', const: 'raw', description: 'Always "raw"' },
}

const OWN = {
  ...SHARED,
  meta: ABSENT,
  url: address('Address of its page', 'https://calendar.example/events/category/sports/rowing/'),
}

const LINKS = {
  _links: {
    ...links(['self', 'collection', 'about'], ['up']),
    description: 'Related addresses; only where one term is read or written',
  },
}

/** A term on its own, of one taxonomy; `_links` may be absent. */
function own(description: string, taxonomy: string, more: Readonly<Record<string, Schema>>): Schema {
  const members = { ...OWN, taxonomy: { ...SHARED.taxonomy, enum: [taxonomy] }, ...more }
  return open(description, { ...members, ...LINKS }, Object.keys(members))
}

/** A category or tag inside an event. */
export const TERM = named('Term', open('A category or tag inside an event', EMBEDDED), [TERM_URLS])

/** Categories and tags on their own. */
export const OWN_TERMS = {
  category: named('Category', own('An event category', 'tribe_events_cat', { parent: PARENT }), [TERM_URLS]),
  tag: named('Tag', own('An event tag', 'post_tag', {}), [TERM_URLS]),
} as const
