import type { OwnedItem } from '../../http/auth/rights.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { claimEntryId, nextEntryId } from '../../storage/identifiers.ts'
import { record } from '../../storage/journal/append.ts'
import { differs } from '../../storage/row-writes.ts'
import { inList } from '../../storage/statement-template.ts'
import { type ImageRow, sizesOf, slugOf } from '../shared/stored-image.ts'

/** An image to be added. */
export type NewImage = Omit<ImageRow, 'id' | 'revision' | 'slug' | 'caption' | 'post_id' | 'modified_at'>

/** What an image that comes from elsewhere has there. */
export interface ImageElsewhere {
  /** ID to keep where it is free. */
  readonly wishedId?: number | undefined
  /** Inline HTML. */
  readonly caption?: string | undefined
  /** Made from the title if absent. */
  readonly slug?: string | undefined
}

/** Adds an image with its ID, the wished one if that is free, and journal entry. */
export async function insertImage(
  tx: Transaction,
  columns: NewImage,
  { wishedId, caption = '', slug }: ImageElsewhere = {},
): Promise<ImageRow> {
  const isFree = wishedId !== undefined && (await claimEntryId(tx, 'media', wishedId))
  const id = isFree ? wishedId : await nextEntryId(tx, 'media')
  const said = { slug: slug ?? slugOf({ id, title: columns.title }), caption, post_id: 0, modified_at: null }
  const row = { id, ...columns, revision: 1, ...said }
  await tx.run(tx.db.insertInto('media').values(row))
  const { author_id: actor, created_at: at } = row
  record(tx, { actor, at, resource: 'media', id, revision: 1, action: 'create', snapshot: row })
  return row
}

/** Texts of an image that may be changed; absent ones stay. */
export type ImageChange = Partial<Pick<ImageRow, 'title' | 'alt' | 'caption' | 'post_id'>>

/** Changes the texts of an image and records it; nothing if they are equal already. */
export async function updateImage(
  tx: Transaction,
  row: ImageRow,
  { change, actor, at }: { readonly change: ImageChange; readonly actor: number; readonly at: string },
): Promise<ImageRow> {
  const { id } = row
  if (!differs(change, row)) return row
  const changed = { ...row, ...change, revision: row.revision + 1, modified_at: at }
  await tx.run(tx.db.updateTable('media').set(changed).where('id', '=', id))
  record(tx, { actor, at, resource: 'media', id, revision: changed.revision, action: 'update', snapshot: changed })
  return changed
}

/** Author and status of the event, venue or organizer with an ID; undefined if there is none. */
export async function ownerOf(reader: Reader, id: number): Promise<OwnedItem | undefined> {
  if (id > HIGHEST_ID) return undefined
  for (const table of ENTRIES) {
    const found = await reader.first(reader.db.selectFrom(table).select(['author_id', 'status']).where('id', '=', id))
    if (found !== undefined) return { authorId: found.author_id, status: found.status }
  }
  return undefined
}

/** Deletes an image permanently; its identifier stays taken. */
export async function deleteImage(
  tx: Transaction,
  { id, revision }: ImageRow,
  agent: { readonly actor: number; readonly at: string },
): Promise<void> {
  await tx.run(tx.db.deleteFrom('media').where('id', '=', id))
  record(tx, { ...agent, resource: 'media', id, revision: revision + 1, action: 'delete', snapshot: null })
}

const ENTRIES = ['event', 'venue', 'organizer'] as const

/** Whether any event, venue or organizer has the image, those in the trash included. */
export async function isUsed(reader: Reader, id: number): Promise<boolean> {
  for (const table of ENTRIES) {
    const found = await reader.first(reader.db.selectFrom(table).select('id').where('image_id', '=', id).limit(1))
    if (found !== undefined) return true
  }
  return false
}

/** Whether everybody sees the image. */
export async function isPublic(reader: Reader, id: number): Promise<boolean> {
  const found = publicIds(reader).as('shown')
  const query = reader.db.selectFrom(found).select('image_id').where('image_id', '=', id)
  return (await reader.first(query.limit(1))) !== undefined
}

/** Which of these files some image has as its full size. */
export async function filesNamed(reader: Reader, files: readonly string[]): Promise<ReadonlySet<string>> {
  const query = reader.db
    .selectFrom('media')
    .select('file')
    .where(inList(reader.engine, 'media.file', files))
  return new Set((await reader.all(query)).map(({ file }) => file))
}

/** Rows before a page that are read in no time. */
const NEAR_OFFSET = 1_000

/** Which images a page is of. */
export interface ImagesQuery {
  /** Every one, or those that everybody sees. */
  readonly of: 'all' | 'public'
  /** Only those with one of these slugs. */
  readonly slugs?: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

/** A page of images, the newest first, and the number of all of them. */
export async function pageOfImages(
  reader: Reader,
  { of, slugs, limit, offset }: ImagesQuery,
): Promise<{ readonly rows: readonly ImageRow[]; readonly total: number }> {
  const every = reader.db.selectFrom('media')
  const pictures = slugs === undefined ? every : every.where(inList(reader.engine, 'media.slug', slugs))
  const shown = of === 'all' ? pictures : pictures.where('id', 'in', publicIds(reader))
  const page = shown.selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
  const rows = await reader.all(page, of === 'all' && offset <= NEAR_OFFSET ? 'inline' : 'offloaded')
  const counted = await reader.first(
    shown.select((row) => row.fn.countAll<number>().as('total')),
    'offloaded',
  )
  return { rows, total: Number(counted?.total ?? 0) }
}

/** The images that everybody sees: a published entry without password has them. */
function publicIds(reader: Reader) {
  const of = (table: (typeof ENTRIES)[number]) =>
    reader.db.selectFrom(table).select('image_id').where('image_id', 'is not', null).where('status', '=', 'publish')
  return of('event').where('event.password_hash', 'is', null).union(of('venue')).union(of('organizer'))
}

/** The next hundred images after an ID, in the order of their IDs. */
export function imagesAfter(
  reader: Reader,
  id: number,
): Promise<Pick<ImageRow, 'id' | 'file' | 'filesize' | 'sizes'>[]> {
  const pictures = reader.db.selectFrom('media').select(['id', 'file', 'filesize', 'sizes'])
  return reader.all(pictures.where('id', '>', id).orderBy('id').limit(100))
}

/** Names of the files of a stored image, the full size first. */
export function filesOf(row: Pick<ImageRow, 'file' | 'sizes'>): readonly string[] {
  return [row.file, ...sizesOf(row).map(([, size]) => size.file)]
}
