import type { Reader } from '../../storage/engine.ts'
import { sizesOf } from '../shared/stored-image.ts'
import { imagesAfter } from './store.ts'

/** A file of an image as its row has it. */
export interface NamedFile {
  readonly name: string
  /** Its size. */
  readonly bytes: number
}

/** The files of all images, the full size and the smaller ones; one that several images have comes several times. */
export async function* filesOfImages(reader: Reader): AsyncGenerator<NamedFile> {
  for (let rows = await imagesAfter(reader, 0); rows.length > 0; ) {
    for (const row of rows) {
      const files = new Map([
        [row.file, row.filesize],
        ...sizesOf(row).map(([, one]) => [one.file, one.filesize] as const),
      ])
      for (const [name, bytes] of files) yield { name, bytes }
    }
    rows = await imagesAfter(reader, rows.at(-1)?.id ?? 0)
  }
}

/** Names of the files of all images, as `filesOfImages` gives them. */
export async function* namesOfImages(reader: Reader): AsyncGenerator<string> {
  for await (const { name } of filesOfImages(reader)) yield name
}

/** Those of some names of files that an image still has. */
export async function stillNamed(reader: Reader, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const named = new Set<string>()
  for await (const name of namesOfImages(reader)) named.add(name)
  return names.filter((name) => named.has(name))
}
