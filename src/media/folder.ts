import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore, StoredFile } from './files.ts'

/**
 * Keeps files in a folder, in folders of their own by the first two letters of their names. Names come from
 * `readFileName` and `developPicture` alone: they have neither slashes nor dots in front.
 */
export function folderStore(folder: string): FileStore {
  const pathOf = (name: string): string => join(folder, name.slice(0, 2), name)
  return {
    put: async (name, bytes) => {
      const path = pathOf(name)
      // The same name is the same content; another size would be a file that something else has damaged.
      if ((await sizeOf(path)) !== bytes.length) await putWhole(path, bytes)
    },
    open: (name) => openFile(pathOf(name)),
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then((found) => found.size, absent)
}

/** Written under a name of its own, made durable, then renamed: no reader and no crash ever sees a part of it. */
async function putWhole(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${randomBytes(8).toString('hex')}.part`)
  try {
    await writeThrough(draft, bytes)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
  await syncFolder(dirname(folder))
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The name itself is durable only when the folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function openFile(path: string): Promise<StoredFile | undefined> {
  const file = await open(path, 'r').catch(absent)
  if (file === undefined) return undefined
  const size = await sizeOfOpen(file)
  return {
    size,
    read: (range) => file.createReadStream(range ? { start: range.start, end: range.end } : {}),
    close: () => file.close(),
  }
}

async function sizeOfOpen(file: FileHandle): Promise<number> {
  try {
    return (await file.stat()).size
  } catch (error) {
    await file.close()
    throw error
  }
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
