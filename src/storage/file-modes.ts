import { chmodSync, lstatSync } from 'node:fs'

/** A file or folder that only its owner may read. */
export interface PrivateFile {
  readonly path: string
  /** 0o600 for files, 0o700 for folders. */
  readonly mode: number
}

/** The permission bits of a mode, and the sticky bit of shared folders such as /tmp. */
const RIGHTS = 0o777
const SHARED = 0o1000

/** The files that others than their owner may use; missing ones and links are left out. `[]` on Windows. */
export function openToOthers(files: readonly PrivateFile[]): PrivateFile[] {
  if (process.platform === 'win32') return []
  return files.filter(({ path, mode }) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.isSymbolicLink() || (found.mode & SHARED) !== 0) return false
    return (found.mode & RIGHTS & ~mode) !== 0
  })
}

/** Removes all permissions of others. Returns a sentence for each file with another owner; `[]` when all is well. */
export function tighten(files: readonly PrivateFile[]): string[] {
  return openToOthers(files).flatMap(({ path, mode }) => {
    try {
      chmodSync(path, mode)
      return []
    } catch (error) {
      return [`${path} can be read by others, and its mode cannot be changed: ${(error as Error).message}`]
    }
  })
}
