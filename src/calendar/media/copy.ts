import { buffer } from 'node:stream/consumers'
import type { Reader } from '../../storage/engine.ts'
import { sizesOf } from '../shared/picture.ts'
import { openImageFiles } from './image-files.ts'
import { picturesAfter } from './store.ts'

/** What became of the files of all images. */
export interface CopiedPictures {
  /** Files that are in both folders now. */
  readonly files: number
  /** Names of files that an image has and the folder has not. */
  readonly missing: readonly string[]
}

/** A file of an image as its row has it. */
export interface NamedFile {
  readonly name: string
  /** Its size. */
  readonly bytes: number
}

/** The files of all images, the full size and the smaller ones; one that several images have comes several times. */
export async function* filesOfPictures(reader: Reader): AsyncGenerator<NamedFile> {
  for (let rows = await picturesAfter(reader, 0); rows.length > 0; ) {
    for (const row of rows) {
      const files = new Map([
        [row.file, row.filesize],
        ...sizesOf(row).map(([, one]) => [one.file, one.filesize] as const),
      ])
      for (const [name, bytes] of files) yield { name, bytes }
    }
    rows = await picturesAfter(reader, rows.at(-1)?.id ?? 0)
  }
}

/** Names of the files of all images, as `filesOfPictures` gives them. */
export async function* namesOfPictures(reader: Reader): AsyncGenerator<string> {
  for await (const { name } of filesOfPictures(reader)) yield name
}

/** Those of some names of files that an image still has. */
export async function stillNamed(reader: Reader, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const named = new Set<string>()
  for await (const name of namesOfPictures(reader)) named.add(name)
  return names.filter((name) => named.has(name))
}

/** Copies the files of all images of a calendar into another folder; those that are there already stay. */
export async function copyPictures(
  reader: Reader,
  folders: { readonly from: string; readonly to: string },
): Promise<CopiedPictures> {
  const [from, to] = [openImageFiles(folders.from), openImageFiles(folders.to)]
  const missing: string[] = []
  let files = 0
  for await (const name of namesOfPictures(reader)) {
    const file = await from.open(name)
    if (file === undefined) missing.push(name)
    else {
      await to.put(name, await buffer(file.read()))
      files += 1
    }
  }
  return { files, missing }
}
