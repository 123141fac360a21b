import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fail } from '../errors.ts'
import { DiskRoom } from '../storage/disk-full.ts'
import type { FileStore, SetAside, StoredFile } from './files.ts'
import { readFileName } from './format.ts'

/** Where a file lies in a folder of pictures. */
export function pathOfFile(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name)
}

/**
 * Keeps files in a folder, in folders of their own by the first two letters of their names. Names come from
 * `readFileName` and `developPicture` alone: they have neither slashes nor dots in front. `report` hears once that there is
 * no room.
 */
export function folderStore(
  folder: string,
  report: (error: unknown, circumstance: string) => void = () => undefined,
): FileStore {
  const room = new DiskRoom(report)
  let wasThere = existsSync(folder)
  const isGone = (): boolean => wasThere && !existsSync(folder)

  async function keep(path: string, bytes: Uint8Array): Promise<void> {
    // A folder that was moved away is not made again: what came into the new one would be missing in the old one.
    if (isGone()) throw fail('rest_data_missing')
    try {
      await putWhole(path, bytes)
      wasThere = true
      room.found()
    } catch (error) {
      throw room.explain(error)
    }
  }

  const pathOf = (name: string): string => pathOfFile(folder, name)
  return {
    put: async (name, bytes) => {
      const path = pathOf(name)
      // The same name is the same content; another size would be a file that something else has damaged.
      if ((await sizeOf(path)) === bytes.length) return false
      await keep(path, bytes)
      return true
    },
    open: (name) => openFile(pathOf(name)),
    setAside: (name) => setAside(pathOf(name)),
    groups: async () => (await namesIn(folder)).filter((name) => GROUP.test(name)).sort(),
    list: async (group) => (await namesIn(join(folder, group))).filter((name) => readFileName(name) !== undefined),
    writtenAt: async (name) => (await stat(pathOf(name)).catch(absent))?.mtimeMs,
    trouble: () => (isGone() ? fail('rest_data_missing') : room.trouble()),
    probe: async () => {
      const draft = join(folder, `.${mark()}.part`)
      await writeThrough(draft, new Uint8Array(PROBE)).then(() => room.found(), room.explain.bind(room))
      await rm(draft, { force: true })
    },
    recover: (group, before) => recover(join(folder, group), before),
  }
}

/** Bytes that are written to find out whether there is room. */
const PROBE = 64 * 1024

const GROUP = /^[0-9a-f]{2}$/
/** What a file is called while it is written, and while it is out of the way. */
const DRAFT = /^\.[0-9a-f]{16}\.part$/
const ASIDE = /^\.(.+)\.[0-9a-f]{16}\.gone$/

function mark(): string {
  return randomBytes(8).toString('hex')
}

/** Asked by opening it: on a shared folder that is when another machine's changes are looked for. */
async function sizeOf(path: string): Promise<number | undefined> {
  const file = await open(path, 'r').catch(absent)
  if (file === undefined) return undefined
  const size = await sizeOfOpen(file)
  await file.close()
  return size
}

/** Every time under a name of its own: two that take the same file away do not meet in its place. */
async function setAside(path: string): Promise<SetAside | undefined> {
  const aside = join(dirname(path), `.${basename(path)}.${mark()}.gone`)
  if ((await moved(path, aside)) === undefined) return undefined
  return { restore: () => restore(aside, path), discard: () => rm(aside, { force: true }) }
}

async function restore(aside: string, path: string): Promise<void> {
  if ((await moved(aside, path)) !== undefined) await syncFolder(dirname(path))
}

/** Undefined when there is nothing to move. */
async function moved(from: string, to: string): Promise<true | undefined> {
  return rename(from, to).then(() => true, absent)
}

async function recover(folder: string, before: number): Promise<void> {
  for (const name of await namesIn(folder)) {
    const original = ASIDE.exec(name)?.[1] ?? ''
    const path = join(folder, name)
    const isOurs = DRAFT.test(name) || readFileName(original) !== undefined
    // The time of the last change, not of the content: that of a file set aside is as old as the picture.
    const changed = isOurs ? (await stat(path).catch(absent))?.ctimeMs : undefined
    if (changed === undefined || changed >= before) continue
    await (DRAFT.test(name) ? rm(path, { force: true }) : restore(path, join(folder, original)))
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? []
}

/** Written under a name of its own, made durable, then renamed: no reader and no crash ever sees a part of it. */
async function putWhole(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${mark()}.part`)
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
