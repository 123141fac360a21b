import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import type { Report, Storage } from '../storage/engine.ts'
import type { Cabinet, FileSet } from './cabinet.ts'
import type { FileStore } from './files.ts'
import { readFileName } from './format.ts'
import { filesNamed } from './store.ts'

/** Work in the background that does nothing until it is told to begin. */
export interface Sweep {
  /** Goes through all files now, and again and again. */
  begin(): void
  /** Ends what is under way until it is told to begin again: another process does it. */
  pause(): void
  /** Ends it; resolves when nothing is touched any more. */
  stop(): Promise<void>
}

/** What a sweep is made of. */
export interface SweepParts {
  readonly storage: Storage
  readonly files: FileStore
  readonly cabinet: Pick<Cabinet, 'tidy'>
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

/** Age from which a file that was set aside was left so by a process that has ended, milliseconds. */
const FORGOTTEN = 10 * SECOND

/** Rest between two groups of files and after all of them, milliseconds: nothing else shall notice. */
const REST = { group: SECOND, round: HOUR } as const

/** Pictures that are looked up at once. */
const BATCH = 100

/** Most pictures whose files are removed in one round. */
const MOST = 10_000

/**
 * More files without a row than with one, and more than these, are not what crashes have left: then the folder is not that
 * of this calendar.
 */
const FEW = 10

/** Removes what crashes have left in the folder of pictures: files without a row, drafts. */
export function openSweep(parts: SweepParts): Sweep {
  let current: AbortController | undefined
  let running = Promise.resolve()
  let isStopped = false
  const pause = (): void => {
    current?.abort()
    current = undefined
  }
  return {
    begin: () => {
      if (isStopped || current !== undefined) return
      const begun = new AbortController()
      current = begun
      running = running.then(() => goOn(parts, begun.signal))
    },
    pause,
    stop: async () => {
      isStopped = true
      pause()
      await running
    },
  }
}

async function goOn(parts: SweepParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweepOnce(parts, signal).catch((error: unknown) => {
      parts.report(error, 'looking for files that no picture has')
    })
    await rest(REST.round, signal)
  }
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}

/** One round through the folder. Nothing is removed before all of it was seen. */
export async function sweepOnce(parts: SweepParts, signal: AbortSignal): Promise<void> {
  const { files, cabinet, log, now } = parts
  const found: Found = { named: 0, unnamed: 0, left: [] }
  for (const [index, group] of (await files.groups()).entries()) {
    if (index > 0) await rest(REST.group, signal)
    if (signal.aborted) return
    await files.recover(group, now() - FORGOTTEN)
    await look(parts, await files.list(group), found)
  }
  const { named, unnamed, left } = found
  if (unnamed > named + FEW) {
    log.warn({ named, unnamed }, 'most files in the folder of pictures are of no picture; they are left alone')
    return
  }
  let removed = 0
  for (const set of left) if (!signal.aborted && (await cabinet.tidy(set))) removed += 1
  if (removed > 0) log.info({ pictures: removed }, 'files that no picture has were removed')
}

/** Pictures whose files were found. */
interface Found {
  named: number
  unnamed: number
  /** Old files that no row names, as many as one round removes. */
  readonly left: FileSet[]
}

async function look({ storage, files, now }: SweepParts, names: readonly string[], found: Found): Promise<void> {
  const sets = [...Map.groupBy(names, (name) => readFileName(name)?.full ?? '')]
  for (let at = 0; at < sets.length; at += BATCH) {
    const batch = sets.slice(at, at + BATCH)
    const known = await filesNamed(
      storage,
      batch.map(([full]) => full),
    )
    found.named += known.size
    for (const [full, own] of batch.filter(([name]) => !known.has(name))) {
      if (!(await areOld(files, own, now() - OLD))) continue
      found.unnamed += 1
      if (found.left.length < MOST) found.left.push({ full, names: own })
    }
  }
}

async function areOld(files: FileStore, names: readonly string[], before: number): Promise<boolean> {
  for (const name of names) if (((await files.writtenAt(name)) ?? 0) >= before) return false
  return true
}
