import { type Caller, mayRead } from '../../http/auth/rights.ts'
import type { Reader } from '../../storage/engine.ts'
import { inList } from '../../storage/statement-template.ts'

/** An event, venue or organizer that has an image. */
export interface ImageUse {
  /** Identifier of the image. */
  readonly picture: number
  readonly collection: 'events' | 'venues' | 'organizers'
  readonly id: number
  /** Title or name, plain text. */
  readonly name: string
}

/** Rows of each kind that are read at most. */
const READ = 200

/**
 * Which events, venues and organizers have these images, as far as the caller may read them, those in the trash included;
 * single dates of a series that differ from it are left out.
 */
export async function usesOfImages(reader: Reader, ids: readonly number[], caller: Caller): Promise<ImageUse[]> {
  if (ids.length === 0) return []
  const { engine, db } = reader
  const columns = ['id', 'image_id', 'author_id', 'status'] as const
  const events = await reader.all(
    db
      .selectFrom('event')
      .select([...columns, 'title as name'])
      .where(inList(engine, 'event.image_id', ids))
      .where('exception', 'is', null)
      .limit(READ),
  )
  const venues = await reader.all(
    db
      .selectFrom('venue')
      .select([...columns, 'name'])
      .where(inList(engine, 'venue.image_id', ids))
      .limit(READ),
  )
  const organizers = await reader.all(
    db
      .selectFrom('organizer')
      .select([...columns, 'name'])
      .where(inList(engine, 'organizer.image_id', ids))
      .limit(READ),
  )
  const found = { events, venues, organizers } as const
  return (['events', 'venues', 'organizers'] as const).flatMap((collection) =>
    found[collection]
      .filter(({ author_id, status }) => mayRead(caller, { authorId: author_id, status }))
      .map(({ id, image_id, name }) => ({ picture: Number(image_id), collection, id, name })),
  )
}

/** The name of an event, venue or organizer whose description shows an image by the name of its file; undefined for none. */
export async function describedWith(reader: Reader, file: string): Promise<string | undefined> {
  const { db } = reader
  const shown = `%/${file}%`
  const event = db.selectFrom('event').select('title as name').where('description', 'like', shown)
  const venue = db.selectFrom('venue').select('name').where('description', 'like', shown)
  const organizer = db.selectFrom('organizer').select('name').where('description', 'like', shown)
  // Nothing leads from a file to the texts that show it.
  const found = await reader.first(event.unionAll(venue).unionAll(organizer).limit(1), 'offloaded')
  return found?.name
}
