import { namesOfImages } from '../../calendar/media/index.ts'
import type { Reader } from '../../storage/engine.ts'

/** Progress of a backup: rows and files together. */
export interface Tally {
  /** How many rows and files there are. */
  expect(rows: number, files: number): void
  /** So many rows were copied and compared. */
  rows(done: number): void
  /** So many files were copied. */
  files(done: number): void
}

/** Counts copied rows and files, and reports every change. There may be more at the end than expected. */
export function openTally(onProgress: (progress: { readonly done: number; readonly total: number }) => void): Tally {
  const wanted = { rows: 0, files: 0 }
  const made = { rows: 0, files: 0 }
  const tell = (): void => {
    const total = Math.max(wanted.rows, made.rows) + Math.max(wanted.files, made.files)
    onProgress({ done: made.rows + made.files, total })
  }
  return {
    expect: (rows, files) => {
      Object.assign(wanted, { rows, files })
      tell()
    },
    rows: (done) => {
      made.rows = done
      tell()
    },
    files: (done) => {
      made.files = done
      tell()
    },
  }
}

/** The number of files of all images. */
export async function countOfFiles(reader: Reader): Promise<number> {
  let count = 0
  for await (const _name of namesOfImages(reader)) count += 1
  return count
}
