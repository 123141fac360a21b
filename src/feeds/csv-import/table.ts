import { CsvError, parse } from 'csv-parse/sync'
import { fail } from '../../errors.ts'

/** A row of a table with the number of the line on which it ends. */
export interface TableRow {
  /** Values by column as `columnName` has it; '' for empty ones. */
  readonly cells: ReadonlyMap<string, string>
  readonly line: number
}

/** What takes a table in. */
export interface TableReading {
  /** Takes the columns, as `columnName` has them. */
  onHead(names: ReadonlySet<string>): void
  onRow(row: TableRow): void
}

/** Rows, columns and characters of a row. */
const MOST = { rows: 200_000, columns: 500, row: 1_000_000 } as const

/**
 * Reads a table whose first row names the columns, row by row, of which none is kept. Encoding (UTF-8, UTF-16, else
 * Windows-1252) and delimiter are found.
 * @throws calendar_not_readable when it is none
 */
export function readTable(file: string, bytes: Buffer, { onHead, onRow }: TableReading): void {
  let names: readonly string[] | undefined
  let rows = 0
  readRecords(file, decoded(bytes), (record, line) => {
    if (record.length > MOST.columns && names === undefined) throw unreadable(file, 'has too many columns')
    if (names === undefined) {
      names = record.map(columnName)
      onHead(new Set(names))
      return
    }
    rows += 1
    if (rows > MOST.rows) throw unreadable(file, `has more than ${MOST.rows} rows`)
    onRow({ cells: cellsOf(names, record), line })
  })
  if (names === undefined) throw unreadable(file, 'is empty')
}

/** The cells of a row by column; of several columns of one name the first that says something counts. */
function cellsOf(names: readonly string[], record: readonly string[]): ReadonlyMap<string, string> {
  const cells = new Map<string, string>()
  for (const [index, name] of names.entries()) {
    const text = cellText(record[index] ?? '')
    if ((cells.get(name) ?? '') === '') cells.set(name, text)
  }
  return cells
}

/** A column by its letters alone: `Event Start Date` and `event_start_date` are one, and `Event` in front does not count. */
function columnName(heading: string): string {
  const letters = heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  return letters.replace(/^event(?=.)/, '')
}

/** Spreadsheets are kept from running a text as a formula by an apostrophe before it. */
function cellText(text: string): string {
  return (/^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text).trim()
}

/** The first line with which some programs for tables say what separates the cells. */
const MARK = /^\uFEFF?sep=([,;\t|])(?:\r\n|\n|\r)/i

function readRecords(file: string, whole: string, onRecord: (record: readonly string[], line: number) => void): void {
  const [mark, said] = MARK.exec(whole) ?? ['']
  const text = whole.slice(mark.length)
  const marked = mark === '' ? 0 : 1
  const options = {
    delimiter: said ?? delimiterOf(text),
    max_record_size: MOST.row,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    on_record: (record: readonly string[], { lines }: { readonly lines: number }) => {
      onRecord(record, lines + marked)
      return null
    },
  } as const
  try {
    parse(text, options)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error as unknown as { readonly lines?: number }
    throw unreadable(file, `is no table${lines === undefined ? '' : ` from line ${lines + marked} on`}`)
  }
}

function unreadable(file: string, reason: string): Error {
  return fail('calendar_not_readable', { file, reason })
}

/** The character between the names of the columns: the commonest outside of quotes. */
function delimiterOf(text: string): string {
  const [head = ''] = text.trimStart().split(/\r\n|\n|\r/, 1)
  const bare = head.replace(/"[^"]*"/g, '')
  const count = (one: string): number => bare.split(one).length
  return [',', ';', '\t', '|'].toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

function decoded(bytes: Buffer): string {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  // Without a mark: the letters of Latin text have a zero byte beside them.
  if (second === 0 && first !== 0) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0 && second !== 0) return new TextDecoder('utf-16be').decode(bytes)
  const body = first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes
  try {
    // A last character that was cut off makes it no other encoding.
    return new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}
