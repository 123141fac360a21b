import { list, named, open, text } from '../../http/openapi/parts.ts'
import type { EventFormat } from './format.ts'

const SCHEMA = named(
  'EventItemList',
  open(
    'api.formats.schemaOrgDataJson',
    {
      '@context': text('api.formats.vocabulary', 'https://schema.org'),
      '@type': text('api.formats.type', 'ItemList'),
      itemListElement: list('api.formats.eventsOrderList', open('api.formats.entryList', {}, [])),
    },
    ['@context', '@type'],
  ),
)

/** Events as schema.org data, as the interface has it in `json_ld`; protected ones are left out. */
export const JSON_LD: EventFormat = {
  ending: 'jsonld',
  said: {
    list: 'api.formats.jsonld.list',
    aboutList: 'api.formats.jsonld.listAbout',
    read: 'api.formats.jsonld.read',
    aboutRead: 'api.formats.jsonld.readAbout',
  },
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
