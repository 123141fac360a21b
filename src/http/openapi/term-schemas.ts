import { address, id, integer, one, open, type Schema, text, word } from './parts.ts'
import { ABSENT, links } from './shared.ts'

const TERM = {
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
  ...TERM,
  parent: PARENT,
  term_group: { type: 'integer', const: 0, description: 'Always 0' },
  term_taxonomy_id: id('The identifier once more', 6),
  filter: { type: 'string', const: 'raw', description: 'Always "raw"' },
}

const OWN = {
  ...TERM,
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
  const members = { ...OWN, taxonomy: { ...TERM.taxonomy, enum: [taxonomy] }, ...more }
  return open(description, { ...members, ...LINKS }, Object.keys(members))
}

/** Schemas of categories and tags: inside events, and on their own. */
export const TERM_SCHEMAS: Readonly<Record<string, Schema>> = {
  Term: open('A category or tag inside an event', EMBEDDED),
  Category: own('An event category', 'tribe_events_cat', { parent: PARENT }),
  Tag: own('An event tag', 'post_tag', {}),
}
