import { list, named, open, text } from '../../http/openapi/parts.ts'
import type { EventFormat } from './format.ts'

const SCHEMA = named(
  'EventItemList',
  open(
    'schema.org data (JSON-LD): an ItemList of events, or one Event',
    {
      '@context': text('Vocabulary', 'https://schema.org'),
      '@type': text('What it is', 'ItemList'),
      itemListElement: list('The events in the order of the list', open('A place in the list', {}, [])),
    },
    ['@context', '@type'],
  ),
)

/** Events as schema.org data, as the interface has it in `json_ld`; protected ones are left out. */
export const JSON_LD: EventFormat = {
  ending: 'jsonld',
  name: 'schema.org data (JSON-LD)',
  type: 'application/ld+json',
  parameters: '',
  schema: SCHEMA,
  texts: async ({ events, call }, parts) =>
    (
      await events.jsonLd(
        call,
        parts.map(({ id }) => id),
      )
    ).map(({ jsonLd, dependencies }) => ({
      text: JSON.stringify(jsonLd),
      dependencies,
    })),
  begin: ({ address }) =>
    `${JSON.stringify({ '@context': 'https://schema.org', '@type': 'ItemList', url: address }).slice(0, -1)},"itemListElement":[`,
  between: ',',
  placed: (text, position) => `{"@type":"ListItem","position":${position},"item":${text}}`,
  end: () => ']}',
  single: (text) => text,
}
