import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Failure, fail } from '../../base/errors.ts'
import type { ServedFile } from '../../http/response/served-file.ts'
import { DiskRoom } from '../../storage/disk-full.ts'
import { makeFolder } from '../../storage/make-folder.ts'
import { sync } from '../../storage/sync.ts'
import { readFileName } from './format.ts'

/**
 * The files of images, in a folder. Each row of `media` has files of its own and no name is used twice, so a name never
 * stands for two contents and several machines may share one folder.
 */
export interface ImageFiles {
  /**
   * Keeps a file under its name: afterwards it is stored whole and durably, never in part. An existing one stays.
   * @throws rest_disk_full, rest_data_missing when the folder has vanished
   */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Opens a file; undefined if there is none. */
  open(name: string): Promise<Pick<ServedFile, 'size' | 'read' | 'close'> | undefined>
  /** Removes a file, also one that is hidden; nothing if there is none. */
  remove(name: string): Promise<void>
  /** Hides a file, so that nobody opens or lists it until it is shown again; nothing if there is none. */
  hide(name: string): Promise<void>
  /** Shows a hidden file again; whether it exists. */
  show(name: string): Promise<boolean>
  /** The folders into which files are divided by their names, in order; each can be listed at once. */
  groups(): Promise<readonly string[]>
  /** Names of all files in a group that `readFileName` knows. */
  list(group: string): Promise<readonly string[]>
  /** When a file was written, Unix milliseconds; undefined if there is none. */
  writtenAt(name: string): Promise<number | undefined>
  /**
   * Removes what a crash has left in a group: drafts from before a moment, and files that were hidden before one; both are
   * Unix milliseconds.
   */
  removeLeft(group: string, before: { readonly drafts: number; readonly hidden: number }): Promise<void>
  /** Why no file can be kept: rest_data_missing, or rest_disk_full since the last one found no room. Takes microseconds. */
  trouble(): Failure | undefined
  /** Finds out by writing whether there is room again; resolves in either case. */
  probe(): Promise<void>
}

/** Where a file lies in a folder of images. */
export function pathOfFile(folder: string, name: string): string {
  return join(folder, name.slice(0, 2), name)
}

/**
 * Opens a folder of image files, which lie in folders of their own by the first two letters of their names. Names come from
 * `readFileName` and `developImage` alone: they have neither slashes nor dots in front. `report` hears once that there is
 * no room.
 */
export function openImageFiles(
  folder: string,
  report: (error: unknown, circumstance: string) => void = () => undefined,
): ImageFiles {
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
      if ((await stat(path).catch(absent))?.size !== bytes.length) await keep(path, bytes)
    },
    open: (name) => openFile(pathOf(name)),
    remove: async (name) => {
      for (const path of [pathOf(name), pathOf(name) + HIDDEN]) await rm(path, { force: true })
    },
    hide: (name) => renameFile(pathOf(name), pathOf(name) + HIDDEN),
    show: async (name) => {
      await renameFile(pathOf(name) + HIDDEN, pathOf(name))
      return (await stat(pathOf(name)).catch(absent)) !== undefined
    },
    groups: async () => (await namesIn(folder)).filter((name) => GROUP.test(name)).sort(),
    list: async (group) => (await namesIn(join(folder, group))).filter((name) => readFileName(name) !== undefined),
    writtenAt: async (name) => (await stat(pathOf(name)).catch(absent))?.mtimeMs,
    trouble: () => (isGone() ? fail('rest_data_missing') : room.trouble()),
    probe: async () => {
      const draft = join(folder, `.${mark()}.part`)
      await writeThrough(draft, new Uint8Array(PROBE)).then(() => room.found(), room.explain.bind(room))
      await rm(draft, { force: true })
    },
    removeLeft: async (group, { drafts, hidden }) => {
      for (const name of await namesIn(join(folder, group))) {
        const before = DRAFT.test(name) ? drafts : isHidden(name) ? hidden : undefined
        if (before === undefined) continue
        const path = join(folder, group, name)
        // It changes with the name, too, unlike the time of the content.
        const changed = (await stat(path).catch(absent))?.ctimeMs
        if (changed !== undefined && changed < before) await rm(path, { force: true })
      }
    },
  }
}

/** Bytes that are written to find out whether there is room. */
const PROBE = 64 * 1024

const GROUP = /^[0-9a-f]{2}$/
/** What a file is called while it is written. */
const DRAFT = /^\.[0-9a-f]{16}\.part$/

/** Ends the name of a file that is hidden. */
const HIDDEN = '.removed'

function isHidden(name: string): boolean {
  return name.endsWith(HIDDEN) && readFileName(name.slice(0, -HIDDEN.length)) !== undefined
}

/** Gives a file another name, durably; nothing if there is none. */
async function renameFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    return absent(error)
  }
  await sync(dirname(to))
}

function mark(): string {
  return randomBytes(8).toString('hex')
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? []
}

/** Written under a name of its own, made durable, then renamed: no reader and no crash ever sees a part of it. */
async function putWhole(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path)
  await makeFolder(folder)
  const draft = join(folder, `.${mark()}.part`)
  try {
    await writeThrough(draft, bytes)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await sync(folder)
  await sync(dirname(folder))
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

async function openFile(path: string): ReturnType<ImageFiles['open']> {
  const file = await open(path, 'r').catch(absent)
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    return {
      size,
      read: (range) => file.createReadStream(range ? { start: range.start, end: range.end } : {}),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
