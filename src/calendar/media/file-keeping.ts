import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { type Caller, forbidden } from '../../http/auth/rights.ts'
import type { Storage } from '../../storage/engine.ts'
import { deleteRemoved } from '../../storage/removed-items.ts'
import type { ImageRow } from '../shared/stored-image.ts'
import type { ImageFiles } from './image-files.ts'
import { filesOfRemoved, insertAgain, pruneRemovedImages, removedImage } from './removed.ts'
import { mayChange } from './rules.ts'
import { filesNamed, filesOf } from './store.ts'

/** What keeps the files of images in step with their rows. */
export interface FileKeeping {
  readonly storage: Storage
  readonly files: Pick<ImageFiles, 'hide' | 'remove' | 'show'>
  /** Takes what went wrong with files when nobody waits for it any more. */
  report(error: unknown): void
}

/** An image in the trash. */
export interface ImageRemoval {
  /** Number of the removal. */
  readonly id: number
  /** Who restores it or deletes it permanently; only those who may delete the image. */
  readonly caller: Caller
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Restores an image from the trash. Its files are shown before there is a row, and hidden again if there is none after all.
 * @throws precondition_failed where it is no longer in the trash or its files are gone, rest_forbidden
 */
export async function restoreImage(deps: FileKeeping, { id, caller, now }: ImageRemoval): Promise<ImageRow> {
  const row = await removedImage(deps.storage, { id, now })
  if (!mayChange(caller, row)) throw forbidden(caller)
  try {
    // Backups have none of these files.
    for (const name of filesOf(row)) if (!(await deps.files.show(name))) throw fail('precondition_failed')
    return await deps.storage.write(async (tx) => {
      const kept = await removedImage(tx, { id, now })
      return insertAgain(tx, kept, { removal: id, actor: caller.id, at: utcFromMillis(now) })
    })
  } finally {
    await removeUnnamed(deps, [filesOf(row)])
  }
}

/** Deletes an image in the trash permanently, with its files. @throws precondition_failed, rest_forbidden */
export async function destroyImage(deps: FileKeeping, { id, caller, now }: ImageRemoval): Promise<void> {
  const row = await removedImage(deps.storage, { id, now })
  if (!mayChange(caller, row)) throw forbidden(caller)
  await deps.storage.write((tx) => deleteRemoved(tx, id))
  await removeUnnamed(deps, [filesOf(row)])
}

/** Deletes expired images from the trash, with their files. Never rejects. */
export async function removeForgotten(deps: FileKeeping, now: number): Promise<void> {
  try {
    const forgotten = await pruneRemovedImages(deps.storage, now)
    for (const row of forgotten) await removeUnnamed(deps, [filesOf(row)])
  } catch (error) {
    deps.report(error)
  }
}

/**
 * Removes the files of images, the full size of each first, unless a row names them; those of images in the trash are
 * hidden. Never rejects.
 */
export async function removeUnnamed(
  { storage, files, report }: FileKeeping,
  images: readonly (readonly string[])[],
): Promise<void> {
  const fulls = images.map(([full = '']) => full)
  const areNamed = (names: ReadonlySet<string>): boolean => fulls.every((full) => names.has(full))
  try {
    if (areNamed(await filesNamed(storage, fulls))) return
    // In the order of all writes, so that also a commit is seen whose response got lost.
    const { named, kept } = await storage.write(async (tx) => {
      return { named: await filesNamed(tx, fulls), kept: await filesOfRemoved(tx) }
    })
    for (const [full = '', ...smaller] of images) {
      if (named.has(full)) continue
      const part = kept.has(full) ? files.hide : files.remove
      for (const name of [full, ...smaller]) await part(name)
    }
  } catch (error) {
    report(error)
  }
}
