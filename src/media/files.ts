import type { Failure } from '../errors.ts'
import type { ServedFile } from '../http/response/served-file.ts'

/** A file that was opened for reading. */
export type StoredFile = Pick<ServedFile, 'size' | 'read' | 'close'>

/**
 * Where the files of pictures are kept: a folder, or one day an object store. Names are made of content, so a name never
 * stands for two contents, putting a file twice is harmless, and several machines may share one place.
 */
export interface FileStore extends FileDisk {
  /**
   * Keeps a file under its name: it is there whole and durably afterwards, and never in part. Whether it had to be written.
   * @throws rest_disk_full, rest_data_missing when the place of the files has vanished
   */
  put(name: string, bytes: Uint8Array): Promise<boolean>
  /** Opens a file; undefined when there is none. */
  open(name: string): Promise<StoredFile | undefined>
  /** Takes a file out of the way: nobody finds it any more, but it can be put back. Undefined when there is none. */
  setAside(name: string): Promise<SetAside | undefined>
  /** The groups into which files are divided by their names, in order; each can be listed at once. */
  groups(): Promise<readonly string[]>
  /** Names of all files in a group that `readFileName` knows. */
  list(group: string): Promise<readonly string[]>
  /** When a file was written, Unix milliseconds; undefined when there is none. */
  writtenAt(name: string): Promise<number | undefined>
  /** Puts what was set aside before a moment, Unix milliseconds, back, and removes drafts from before it that a crash has left. */
  recover(group: string, before: number): Promise<void>
}

/** What files are kept on. */
export interface FileDisk {
  /** Why no file can be kept: rest_data_missing, or rest_disk_full since the last one found no room. Takes microseconds. */
  trouble(): Failure | undefined
  /** Finds out by writing whether there is room again; resolves in either case. */
  probe(): Promise<void>
}

/** A file that was set aside. One of the two is called. */
export interface SetAside {
  /** Puts it back; a file that has come in its place meanwhile is the same. */
  restore(): Promise<void>
  /** Removes it for good. */
  discard(): Promise<void>
}
