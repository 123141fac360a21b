import type { FileStore } from './files.ts'
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
  /** Whether a stored picture has this file as its full size. */
  isNamed(full: string): Promise<boolean>
  /** Takes what went wrong while files were taken away: nobody waits for that. */
  report(error: unknown): void
}

/**
 * Keeps files and rows together. Files come before the row that names them and go after it, so a reader never finds a
 * row without files; and because equal pictures share their files, they go only when no row names them and no write is
 * under way that is about to.
 */
export interface Cabinet {
  /** Puts the files in place and runs the work; afterwards those that no row names are taken away again. */
  whileKept<T>(sets: readonly NewFileSet[], work: () => Promise<T>): Promise<T>
  /** Takes the files of a picture away that was deleted, unless another one has the same. */
  tidy(set: FileSet): Promise<void>
}

/** Opens a cabinet; one for each process. */
export function openCabinet({ files, isNamed, report }: CabinetParts): Cabinet {
  const inTurn = byName()
  const holds = new Map<string, number>()

  async function keep(set: NewFileSet): Promise<void> {
    await inTurn(set.full, async () => {
      holds.set(set.full, (holds.get(set.full) ?? 0) + 1)
      for (const { name, bytes } of set.files) await files.put(name, bytes)
    })
  }

  async function clear({ full, names }: FileSet): Promise<void> {
    if (holds.has(full) || (await isNamed(full))) return
    for (const name of names) await files.remove(name)
  }

  async function letGo(set: NewFileSet): Promise<void> {
    const left = (holds.get(set.full) ?? 0) - 1
    if (left > 0) holds.set(set.full, left)
    else holds.delete(set.full)
    await tidy(set)
  }

  async function tidy(set: FileSet): Promise<void> {
    await inTurn(set.full, () => clear(set)).catch(report)
  }

  return {
    tidy,
    whileKept: async (sets, work) => {
      const kept: NewFileSet[] = []
      try {
        for (const set of sets) {
          kept.push(set)
          await keep(set)
        }
        return await work()
      } finally {
        for (const set of kept) await letGo(set)
      }
    },
  }
}
