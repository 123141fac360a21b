import { address, id, moment, named, object, ref, text } from '../../http/openapi/parts.ts'
import { IMAGE } from '../shared/schema.ts'

/** An image in our own namespace (wire: rest 1.3 for `image`). */
export const MEDIA = named(
  'Media',
  object('A picture with what is known of it', {
    id: id('Identifier', 6),
    author: text('Identifier of the author, as text', '2', { pattern: '^\\d+$' }),
    date: moment('When it was taken in, in the zone of the site', '2026-11-20 13:00:00'),
    date_utc: moment('When it was taken in, in UTC', '2026-11-20 18:00:00'),
    rest_url: address('Address of the picture in this interface', 'https://calendar.example/kalends/v1/media/6'),
    title: text('Title, with &, < and > as HTML entities', 'Regatta &amp; Picnic'),
    alt_text: text('Text in place of the picture, with &, < and > as HTML entities', 'Boats on the bay'),
    mime_type: text('Media type of the file', 'image/png'),
    source: text('Address that it was fetched from, without its query; empty when it was uploaded', ''),
    image: ref('Image'),
  }),
  [IMAGE],
)
