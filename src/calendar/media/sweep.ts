import { type BackgroundWork, backgroundWork, rest } from '../../base/background.ts'
import type { Logger } from '../../base/log.ts'
import type { Report, Storage } from '../../storage/engine.ts'
import { TRASH_LIFETIME } from '../../storage/removed-items.ts'
import { removeForgotten } from './file-keeping.ts'
import { readFileName } from './format.ts'
import type { ImageFiles } from './image-files.ts'
import { filesOfRemoved } from './removed.ts'
import { filesNamed } from './store.ts'

/** Dependencies of a sweep. */
export interface SweepDeps {
  readonly storage: Storage
  readonly files: ImageFiles
  readonly log: Logger
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Milliseconds. */
const SECOND = 1000
const HOUR = 3600 * SECOND

/** Age from which a file that no row names is not one whose row is still to come, milliseconds. */
const OLD = 24 * HOUR

/** Age from which a draft was left by a process that has ended, milliseconds. */
const FORGOTTEN = 10 * SECOND

/** Rest between two groups of files and after all of them, milliseconds: nothing else shall notice. */
const REST = { group: SECOND, round: HOUR } as const

/** Images that are looked up at once. */
const BATCH = 100

/** Most images whose files are removed in one round. */
const MOST = 10_000

/**
 * More files without a row than with one, and more than these, are not what crashes have left: then the folder is not that
 * of this calendar.
 */
const FEW = 10

/** Deletes expired images from the trash, and what crashes have left: files without a row, drafts. */
export function openSweep(deps: SweepDeps): BackgroundWork {
  const failed = (error: unknown): void => deps.report(error, 'looking for files without an image')
  const round = async (signal: AbortSignal): Promise<void> => {
    await removeForgotten({ ...deps, report: failed }, deps.now())
    await sweepOnce(deps, signal)
  }
  return backgroundWork({ round, every: REST.round, failed })
}

/** One round through the folder. Nothing is removed before all of it was seen. */
export async function sweepOnce(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const { files, log, now } = deps
  const found: Found = { named: 0, unnamed: 0, left: [] }
  for (const [index, group] of (await files.groups()).entries()) {
    if (index > 0) await rest(REST.group, signal)
    if (signal.aborted) return
    await files.removeLeft(group, { drafts: now() - FORGOTTEN, hidden: now() - TRASH_LIFETIME - OLD })
    await look(deps, await files.list(group), found)
  }
  const { named, unnamed, left } = found
  if (unnamed > named + FEW) {
    log.warn({ named, unnamed }, 'most files in the image folder belong to no image; they are left alone')
    return
  }
  let removed = 0
  for (const names of left) {
    if (signal.aborted) break
    for (const name of names) await files.remove(name)
    removed += 1
  }
  if (removed > 0) log.info({ pictures: removed }, 'removed files without an image')
}

/** Images whose files were found. */
interface Found {
  named: number
  unnamed: number
  /** Old files that no row names, those of an image together, as many as one round removes. */
  readonly left: (readonly string[])[]
}

async function look({ storage, files, now }: SweepDeps, names: readonly string[], found: Found): Promise<void> {
  const sets = [...Map.groupBy(names, (name) => readFileName(name)?.full ?? '')]
  for (let at = 0; at < sets.length; at += BATCH) {
    const batch = sets.slice(at, at + BATCH)
    const fulls = batch.map(([full]) => full)
    const known = await filesWanted(storage, fulls)
    found.named += known.size
    for (const [, own] of batch.filter(([full]) => !known.has(full))) {
      if (!(await areOld(files, own, now() - OLD))) continue
      found.unnamed += 1
      if (found.left.length < MOST) found.left.push(own)
    }
  }
}

/** Which of these files a row names, in the trash or out of it. */
async function filesWanted(storage: Storage, fulls: readonly string[]): Promise<ReadonlySet<string>> {
  const named = await filesNamed(storage, fulls)
  if (named.size === fulls.length) return named
  const kept = await filesOfRemoved(storage)
  // One that was restored between the two was in neither.
  const back = await filesNamed(storage, fulls)
  return new Set([...named, ...back, ...fulls.filter((full) => kept.has(full))])
}

async function areOld(files: ImageFiles, names: readonly string[], before: number): Promise<boolean> {
  for (const name of names) if (((await files.writtenAt(name)) ?? 0) >= before) return false
  return true
}
