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
    'A picture in one size',
    {
      width: integer('Width in pixels', 300),
      height: integer('Height in pixels', 225),
      'mime-type': text('Media type of the file', 'image/png'),
      filesize: integer('Size of the file in bytes', 844),
      url: text('Address of the file', 'https://calendar.example/pictures/regatta-300x225.png'),
    },
    [],
  ),
)

/** An image (wire: rest 1.3). */
export const IMAGE = named(
  'Image',
  open(
    'A picture',
    {
      url: text('Address of the file', 'https://calendar.example/pictures/regatta.png'),
      // Imported images are returned as they were recorded, some of them with an id that is text.
      id: { type: ['integer', 'string'], description: 'Identifier', examples: [6] },
      extension: text('Ending of the file name', 'png'),
      width: integer('Width in pixels', 1200),
      height: integer('Height in pixels', 900),
      filesize: integer('Size of the file in bytes', 5150),
      sizes: {
        description: 'Smaller versions by name: thumbnail, medium, medium_large, large',
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
    id: id('Identifier', sample.id),
    global_id: text('Identifier across sites', globalId, { pattern: '.\\?id=\\d+$' }),
    global_id_lineage: {
      ...list(
        'The identifier across sites, then those at the sites that it was imported from',
        text('Identifier across sites', globalId, { minLength: 1 }),
      ),
      minItems: 1,
    },
    author: text('Identifier of the author, as text', '2', { pattern: '^\\d+$' }),
    status: word('Publication state', STATUSES),
    date: moment('When it is published, in the zone of the site', '2026-11-20 13:00:00'),
    date_utc: moment('When it is published, in UTC', '2026-11-20 18:00:00'),
    modified: moment('When it was last changed, in the zone of the site', '2026-11-20 13:00:00'),
    modified_utc: moment('When it was last changed, in UTC', '2026-11-20 18:00:00'),
    url: address('Address of its page', sample.page),
    slug: text('Part of the address that names it', sample.slug, { minLength: 1 }),
  }
}

/** Text that is absent rather than empty. */
export function content(description: string, example: string): Schema {
  return text(description, example, { minLength: 1 })
}

/** The members of all entries that venues and organizers always have: those that nobody owns have no author. */
export function requiredOfLinked(entry: Readonly<Record<string, Schema>>): string[] {
  return Object.keys(entry).filter((name) => name !== 'author')
}

/** Members of venues and organizers after those of all entries. */
export const LINKED_MEMBERS = {
  description: content('Text, as HTML', '<p>Timber hall by the slipway.</p>'),
  excerpt: content('Short text, as HTML', '<p>By the slipway</p>'),
  image: ref('Image'),
}
