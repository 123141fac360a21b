import { address, id, moment, named, object, ref, text } from '../../http/openapi/parts.ts'
import { IMAGE } from '../shared/schema.ts'

/** An image in our own namespace (wire: rest 1.3 for `image`). */
export const MEDIA = named(
  'Media',
  object('api.media.imageMetadata', {
    id: id('common.id', 6),
    author: text('api.idAuthorString', '2', { pattern: '^\\d+$' }),
    date: moment('api.media.timeWhenAddedSites', '2026-11-20 13:00:00'),
    date_utc: moment('api.media.timeWhenAddedUtc', '2026-11-20 18:00:00'),
    rest_url: address('api.media.urlImageApi', 'https://calendar.example/kalends/v1/media/6'),
    title: text('api.titleHtmlEntities', 'Regatta &amp; Picnic'),
    alt_text: text('api.media.altTextImageHtml', 'Boats on the bay'),
    mime_type: text('api.mediaTypeFile', 'image/png'),
    source: text('api.media.urlImageFetchedWithout', ''),
    image: ref('Image'),
  }),
  [IMAGE],
)
