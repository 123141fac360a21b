import { shownAddress } from '../../base/outgoing/shown-address.ts'
import { encodeText } from '../../base/text/entities.ts'
import { toLocal } from '../../base/time/zones.ts'
import type { MediaTable } from '../../storage/schema.ts'
import { fileUrl, presentImageFile, sizesOf, slugOf } from '../shared/stored-image.ts'
import type { Viewer } from '../shared/viewer.ts'

/** An image in our own namespace: who added it and when, its texts, and the image object of the wire. */
export function presentMedia(row: MediaTable, viewer: Viewer): Readonly<Record<string, unknown>> {
  return {
    id: row.id,
    author: String(row.author_id),
    date: toLocal(row.created_at, viewer.site.zone),
    date_utc: row.created_at,
    rest_url: viewer.urls.root(`/kalends/v1/media/${row.id}`),
    title: encodeText(row.title),
    alt_text: encodeText(row.alt),
    mime_type: row.mime,
    source: shownAddress(row.source_url ?? ''),
    image: presentImageFile(row, viewer.urls),
  }
}

/** An image in the shape that writers of calendars expect beside the interface (`wp/v2/media`). */
export function presentForWriters(row: MediaTable, viewer: Viewer): Readonly<Record<string, unknown>> {
  const { urls, site } = viewer
  const address = fileUrl(row.file, urls)
  const date = isoOf(toLocal(row.created_at, site.zone))
  const date_gmt = isoOf(row.created_at)
  const changed = row.modified_at ?? row.created_at
  const title = encodeText(row.title)
  return {
    id: row.id,
    date,
    date_gmt,
    guid: { rendered: address },
    modified: isoOf(toLocal(changed, site.zone)),
    modified_gmt: isoOf(changed),
    slug: row.slug ?? slugOf(row),
    status: 'inherit',
    type: 'attachment',
    link: address,
    title: { rendered: title },
    author: row.author_id,
    description: { rendered: '' },
    caption: { rendered: row.caption },
    alt_text: encodeText(row.alt),
    media_type: 'image',
    mime_type: row.mime,
    media_details: {
      width: row.width,
      height: row.height,
      file: row.file,
      filesize: row.filesize,
      sizes: sizesForWriters(row, viewer),
    },
    post: row.post_id === 0 ? null : row.post_id,
    source_url: address,
    _links: { self: [{ href: urls.root(`/wp/v2/media/${row.id}`) }] },
  }
}

/** The smaller sizes and the full one under its own name. */
function sizesForWriters(row: MediaTable, { urls }: Viewer): Readonly<Record<string, unknown>> {
  const { file, width, height, mime, filesize } = row
  const sizes = [...sizesOf(row), ['full', { file, width, height, mime, filesize }] as const]
  return Object.fromEntries(
    sizes.map(([name, size]) => [
      name,
      {
        file: size.file,
        width: size.width,
        height: size.height,
        filesize: size.filesize,
        mime_type: size.mime,
        source_url: fileUrl(size.file, urls),
      },
    ]),
  )
}

function isoOf(moment: string): string {
  return moment.replace(' ', 'T')
}
