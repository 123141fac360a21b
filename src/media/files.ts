import type { ServedFile } from '../http/served-file.ts'

/** A file that was opened for reading. */
export type StoredFile = Pick<ServedFile, 'size' | 'read' | 'close'>

/**
 * Where the files of pictures are kept: a folder, or one day an object store. Names are made of content, so a name never
 * stands for two contents, putting a file twice is harmless, and several machines may share one place.
 */
export interface FileStore {
  /** Keeps a file under its name. It is there whole and durably once this resolves, and never in part. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Opens a file; undefined when there is none. */
  open(name: string): Promise<StoredFile | undefined>
  /** Takes a file away; nothing happens when there is none. */
  remove(name: string): Promise<void>
}
