import type { FileStore, SetAside } from './files.ts'
import { byName } from './turns.ts'

/** The files of one picture, the full size first. */
export interface FileSet {
  /** Name of the full size, which stands for all of them. */
  readonly full: string
  readonly names: readonly string[]
}

/** Files that are to be kept. */
export interface NewFileSet extends FileSet {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** What a cabinet is made of. */
export interface CabinetParts {
  readonly files: FileStore
  /** Whether a stored picture has this file as its full size; what this process has written itself counts. */
  isNamed(full: string): Promise<boolean>
  /** The same in the line of all writes: every row that any process has committed before counts. */
  isNamedByAnybody(full: string): Promise<boolean>
  /** Takes what went wrong with files when nobody waits for it any more. */
  report(error: unknown): void
}

/**
 * Keeps files and rows together, for any number of processes that share them. Files come before the row that names them
 * and go after it, so a reader finds no row without files; and because equal pictures share their files, they go only
 * when no row names them.
 *
 * Two steps cross so that no file is lost to a row of another process. Who takes a file away sets it aside first and
 * then asks for rows; who has made a row looks afterwards whether the files are still there. Whichever of the two
 * questions comes last has the answer: the file is put back, or written again.
 */
export interface Cabinet {
  /** Puts the files in place and runs the work; afterwards those that no row names are taken away again. */
  whileKept<T>(sets: readonly NewFileSet[], work: () => Promise<T>): Promise<T>
  /** Takes the files of a picture away that was deleted, unless another one has the same. Whether it did. */
  tidy(set: FileSet): Promise<boolean>
}

/** Opens a cabinet; one for each process. */
export function openCabinet(parts: CabinetParts): Cabinet {
  const { files, isNamed, report } = parts
  const inTurn = byName()
  const holds = new Map<string, number>()

  async function keep(set: NewFileSet): Promise<void> {
    await inTurn(set.full, async () => {
      holds.set(set.full, (holds.get(set.full) ?? 0) + 1)
      await putAll(files, set)
    })
  }

  async function clear(set: FileSet): Promise<boolean> {
    if (holds.has(set.full) || (await isNamed(set.full))) return false
    return takeAway(parts, set)
  }

  async function letGo(set: NewFileSet): Promise<void> {
    const left = (holds.get(set.full) ?? 0) - 1
    if (left > 0) holds.set(set.full, left)
    else holds.delete(set.full)
    while (await isNamed(set.full)) {
      // Were they written again, the row may have gone before that, and whoever deleted it has found nothing to take away.
      if (!(await putAll(files, set))) return
    }
    if (!holds.has(set.full)) await takeAway(parts, set)
  }

  return {
    tidy: (set) =>
      inTurn(set.full, () => clear(set)).catch((error: unknown) => {
        report(error)
        return false
      }),
    whileKept: async (sets, work) => {
      const kept: NewFileSet[] = []
      try {
        for (const set of sets) {
          kept.push(set)
          await keep(set)
        }
        return await work()
      } finally {
        for (const set of kept) await inTurn(set.full, () => letGo(set)).catch(report)
      }
    },
  }
}

/** Files that are there already stay as they are; whether any was not. */
async function putAll(files: FileStore, set: NewFileSet): Promise<boolean> {
  let hasWritten = false
  for (const { name, bytes } of set.files) hasWritten = (await files.put(name, bytes)) || hasWritten
  return hasWritten
}

async function takeAway(parts: CabinetParts, set: FileSet): Promise<boolean> {
  const aside: SetAside[] = []
  let isNeeded = true
  try {
    for (const name of set.names) {
      const one = await parts.files.setAside(name)
      if (one !== undefined) aside.push(one)
    }
    if (aside.length === 0) return false
    isNeeded = await parts.isNamedByAnybody(set.full)
  } finally {
    for (const one of aside) await (isNeeded ? one.restore() : one.discard())
  }
  // The row may have gone before the files were back.
  return !isNeeded || ((await parts.isNamedByAnybody(set.full)) ? false : takeAway(parts, set))
}
