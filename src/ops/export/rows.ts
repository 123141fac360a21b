import { closeSync, openSync, readSync } from 'node:fs'
import { type Row, TABLE_KEYS, type TableName } from '../../storage/export/tables.ts'

/** Rows that are inserted at a time, and characters of their lines, of which a single row may have more. */
const BATCH = { rows: 200, characters: 4_000_000 }

const CHUNK = 1024 * 1024

/** A row as a line of JSON: its key first, then the other columns by name, whatever the order of the database. */
export function lineOf(table: TableName, row: Row): string {
  const keys: readonly string[] = TABLE_KEYS[table]
  const others = Object.keys(row).filter((name) => !keys.includes(name))
  const entries = [...keys, ...others.sort()].map((name) => [name, row[name]])
  return `${JSON.stringify(Object.fromEntries(entries))}\n`
}

/**
 * The rows of a file in batches of lines with the same columns. Reads without waiting, because the job of a database may
 * wait for nothing else.
 * @throws SyntaxError for a line that is no object of texts, numbers and nulls
 */
export function* batchesOf(path: string): Generator<readonly Row[]> {
  let batch: Row[] = []
  let size = 0
  for (const line of linesOf(path)) {
    const row = rowOf(line)
    const [first] = batch
    const isFull = batch.length >= BATCH.rows || size >= BATCH.characters
    if (first !== undefined && (isFull || columnsOf(first) !== columnsOf(row))) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(row)
    size += line.length
  }
  if (batch.length > 0) yield batch
}

function columnsOf(row: Row): string {
  return Object.keys(row).join()
}

function rowOf(line: string): Row {
  const row = JSON.parse(line) as Row | null
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new SyntaxError('a line is no object')
  for (const value of Object.values(row)) {
    if (typeof value !== 'string' && typeof value !== 'number' && value !== null)
      throw new SyntaxError('a column is neither text nor number nor null')
  }
  return row
}

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(CHUNK)
    let rest: Buffer[] = []
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      let from = 0
      for (let end = chunk.indexOf(LINE_END); end >= 0 && end < read; end = chunk.indexOf(LINE_END, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString()
        rest = []
        from = end + 1
      }
      rest.push(Buffer.from(chunk.subarray(from, read)))
    }
    const last = Buffer.concat(rest)
    if (last.length > 0) yield last.toString()
  } finally {
    closeSync(file)
  }
}

const LINE_END = 0x0a
