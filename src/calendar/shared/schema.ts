import type { MessageId } from '../../base/i18n/translate.ts'
import {
  address,
  id,
  integer,
  list,
  moment,
  NOTHING,
  named,
  open,
  ref,
  type Schema,
  text,
  word,
} from '../../http/openapi/parts.ts'
import { STATUSES } from '../../model/status.ts'

const IMAGE_SIZE = named(
  'ImageSize',
  open(
    'api.imageOneSize',
    {
      width: integer('api.widthInPixels', 300),
      height: integer('api.heightInPixels', 225),
      'mime-type': text('api.mediaTypeFile', 'image/png'),
      filesize: integer('api.fileSizeBytes', 844),
      url: text('api.urlFile', 'https://calendar.example/pictures/regatta-300x225.png'),
    },
    [],
  ),
)

/** An image (wire: rest 1.3). */
export const IMAGE = named(
  'Image',
  open(
    'api.anImage',
    {
      url: text('api.urlFile', 'https://calendar.example/pictures/regatta.png'),
      // Imported images are returned as they were recorded, some of them with an ID that is text.
      id: { type: ['integer', 'string'], description: 'common.id', examples: [6] },
      extension: text('api.fileNameExtension', 'png'),
      width: integer('api.widthInPixels', 1200),
      height: integer('api.heightInPixels', 900),
      filesize: integer('api.fileSizeBytes', 5150),
      sizes: {
        description: 'api.smallerVersionsNameThumbnail',
        anyOf: [{ type: 'object', additionalProperties: ref('ImageSize') }, NOTHING],
      },
    },
    ['url'],
  ),
  [IMAGE_SIZE],
)

const SITE = 'https://calendar.example'

/** Sample values for the examples of each kind of entry. */
const SAMPLES = {
  event: { id: 10, slug: 'spring-regatta', page: `${SITE}/event/spring-regatta/` },
  venue: { id: 7, slug: 'heron-point', page: `${SITE}/venue/heron-point/` },
  organizer: { id: 8, slug: 'lower-bay-rowers', page: `${SITE}/organizer/lower-bay-rowers/` },
} as const

/** Members of every event, venue and organizer: all of them are always there. */
export function entryMembers(kind: keyof typeof SAMPLES): Readonly<Record<string, Schema>> {
  const sample = SAMPLES[kind]
  const globalId = `calendar.example?id=${sample.id}`
  return {
    id: id('common.id', sample.id),
    global_id: text('api.globalId', globalId, { pattern: '.\\?id=\\d+$' }),
    global_id_lineage: {
      ...list('api.globalIdFollowedIds', text('api.globalId', globalId, { minLength: 1 })),
      minItems: 1,
    },
    author: text('api.idAuthorString', '2', { pattern: '^\\d+$' }),
    status: word('api.publicationStatus', STATUSES),
    date: moment('api.publicationDateSitesTime', '2026-11-20 13:00:00'),
    date_utc: moment('api.publicationDateUtc', '2026-11-20 18:00:00'),
    modified: moment('api.timeLastChangeSites', '2026-11-20 13:00:00'),
    modified_utc: moment('api.timeLastChangeUtc', '2026-11-20 18:00:00'),
    url: address('api.urlPublicPage', sample.page),
    slug: text('api.partUrlIdentifiesItem', sample.slug, { minLength: 1 }),
  }
}

/** Text that is absent rather than empty. */
export function content(description: MessageId, example: string): Schema {
  return text(description, example, { minLength: 1 })
}

/** The members of all entries that venues and organizers always have: those that nobody owns have no author. */
export function requiredOfLinked(entry: Readonly<Record<string, Schema>>): string[] {
  return Object.keys(entry).filter((name) => name !== 'author')
}

/** Members of venues and organizers after those of all entries. */
export const LINKED_MEMBERS = {
  description: content('api.descriptionAsHtml', '<p>Timber hall by the slipway.</p>'),
  excerpt: content('api.summaryAsHtml', '<p>By the slipway</p>'),
  image: ref('Image'),
}
