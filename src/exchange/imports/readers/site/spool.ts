import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Raw } from './raw.ts'

/** Where an item lies in the file. */
interface Lying {
  readonly at: number
  readonly length: number
}

/** Items that were read from a site, stored in a file: memory holds only their positions. */
export interface Spool {
  /** Keeps an item under a key; the last one counts. */
  put(key: string, item: Raw): Promise<void>
  get(key: string): Promise<Raw>
  drop(key: string): void
  has(key: string): boolean
  keys(): string[]
  readonly size: number
  /** Closes the file, which is gone then. */
  close(): Promise<void>
}

/**
 * Opens an empty spool in a folder that is made for it. Its file has a name only until it is open: imports of other
 * processes do not meet it, and a crash leaves nothing of it.
 */
export async function openSpool(folder: string, name: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${name}-${randomUUID()}.jsonl`)
  const file: FileHandle = await open(path, 'wx+', 0o600)
  await rm(path, { force: true })
  const lying = new Map<string, Lying>()
  let end = 0
  return {
    put: async (key, item) => {
      const bytes = Buffer.from(JSON.stringify(item))
      const at = end
      end += bytes.length
      lying.set(key, { at, length: bytes.length })
      await file.write(bytes, 0, bytes.length, at)
    },
    get: async (key) => {
      const { at, length } = lying.get(key) ?? { at: 0, length: 0 }
      const bytes = Buffer.alloc(length)
      await file.read(bytes, 0, length, at)
      return JSON.parse(bytes.toString())
    },
    drop: (key) => void lying.delete(key),
    has: (key) => lying.has(key),
    keys: () => [...lying.keys()],
    get size() {
      return lying.size
    },
    close: () => file.close(),
  }
}
