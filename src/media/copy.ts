import { buffer } from 'node:stream/consumers'
import type { Reader } from '../storage/engine.ts'
import type { FileStore } from './files.ts'
import { folderStore } from './folder.ts'
import { filesOf, picturesAfter } from './store.ts'

/** What became of the files of all pictures. */
export interface CopiedPictures {
  /** Files that are in both folders now. */
  readonly files: number
  /** Names of files that a picture has and the folder has not. */
  readonly missing: readonly string[]
}

/** Names of the files of all pictures, the full size and the smaller ones; one that several pictures have comes several times. */
export async function* namesOfPictures(reader: Reader): AsyncGenerator<string> {
  for (let rows = await picturesAfter(reader, 0); rows.length > 0; ) {
    for (const row of rows) yield* filesOf(row).names
    rows = await picturesAfter(reader, rows.at(-1)?.id ?? 0)
  }
}

/** Copies the files of all pictures of a calendar into another folder; those that are there already stay. */
export async function copyPictures(
  reader: Reader,
  folders: { readonly from: string; readonly to: string },
): Promise<CopiedPictures> {
  const [from, to] = [folderStore(folders.from), folderStore(folders.to)]
  const missing: string[] = []
  let files = 0
  for (let rows = await picturesAfter(reader, 0); rows.length > 0; ) {
    for (const name of new Set(rows.flatMap((row) => filesOf(row).names))) {
      if (await copyFile(name, from, to)) files += 1
      else missing.push(name)
    }
    rows = await picturesAfter(reader, rows.at(-1)?.id ?? 0)
  }
  return { files, missing }
}

async function copyFile(name: string, from: FileStore, to: FileStore): Promise<boolean> {
  const file = await from.open(name)
  if (file === undefined) return false
  await to.put(name, await buffer(file.read()))
  return true
}
