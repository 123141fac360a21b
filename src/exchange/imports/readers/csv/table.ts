import { CsvError, parse } from 'csv-parse/sync'
import { Failure, fail } from '../../../../base/errors.ts'
import { withValues } from '../../../../base/i18n/translate.ts'
import { planColumns } from './columns.ts'

/** A row of a table with the number of the line on which it ends. */
export interface TableRow {
  /** The text of a cell by its column; '' for an empty one. */
  cellAt(column: number): string
  readonly line: number
}

/** Rows, columns and characters of a row. */
const MOST = { rows: 200_000, columns: 500, row: 1_000_000 } as const

/**
 * Reads a table whose first row names the columns, row by row behind that, of which none is kept. Encoding (UTF-8, UTF-16, else
 * the one in which the columns are known) and delimiter are found.
 * @throws calendar_not_readable when it is none
 */
export function readTable(file: string, bytes: Buffer, onRow: (row: TableRow) => void): void {
  let rows = -1
  const onRecord: RecordReading['onRecord'] = (record, line) => {
    rows += 1
    if (rows === 0 && record.length > MOST.columns)
      throw unreadable(file, withValues('import.problem.tooManyColumns', { count: MOST.columns }))
    if (rows > MOST.rows) throw unreadable(file, withValues('import.problem.tooManyRows', { count: MOST.rows }))
    if (rows > 0) onRow({ cellAt: (column) => cellText(record[column] ?? ''), line })
  }
  readRecords(file, decoded(bytes), { onRecord })
  if (rows < 0) throw unreadable(file, 'import.problem.empty')
}

/** Whether a file is to be read as a table: by its name, unless it starts like iCalendar. */
export function isTable(name: string, bytes: Buffer): boolean {
  return /\.(?:csv|tsv)$/i.test(name) && !/^(?:\uFEFF|\xEF\xBB\xBF)?\s*BEGIN:/i.test(bytes.toString('latin1', 0, 100))
}

/** Bytes in which the first rows of a table are. */
const HEAD = 2_000_000

/** The first rows of a table, the headings first; `[]` where they cannot be read. */
export function firstRows(bytes: Buffer, most: number): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = []
  try {
    const onRecord = (record: readonly string[]): void => void rows.push(record.map(cellText))
    readRecords('', decoded(bytes.subarray(0, HEAD)), { onRecord, most })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  return rows
}

/** Spreadsheets are kept from running a text as a formula by an apostrophe before it. */
function cellText(text: string): string {
  return (/^'[=+\-@\t\r\n＝＋－＠]/.test(text) ? text.slice(1) : text).trim()
}

/** The first line with which some programs for tables say what separates the cells. */
const MARK = /^\uFEFF?sep=([,;\t|])(?:\r\n|\n|\r)/i

interface RecordReading {
  /** Rows to be read; absent for all. */
  readonly most?: number
  onRecord(record: readonly string[], line: number): void
}

function readRecords(file: string, whole: string, { onRecord, most }: RecordReading): void {
  const [mark, said] = MARK.exec(whole) ?? ['']
  const text = whole.slice(mark.length)
  const marked = mark === '' ? 0 : 1
  const options = {
    delimiter: said ?? delimiterOf(text),
    max_record_size: MOST.row,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ...(most !== undefined && { to: most }),
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
    throw unreadable(file, withValues('import.problem.notTable', { line: (lines ?? 0) + marked }))
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
    return new TextDecoder(encodingOf(body)).decode(body)
  }
}

/** How spreadsheets write tables in Western and Central Europe, Japan, China, Arabic countries, and older ones on a Mac. */
const ENCODINGS = ['windows-1252', 'windows-1250', 'shift_jis', 'gb18030', 'windows-1256', 'macintosh'] as const

/** The encoding in which most columns are known; the first one if none stands out. */
function encodingOf(bytes: Buffer): string {
  const known = ENCODINGS.map((encoding) => {
    const [head = ''] = new TextDecoder(encoding).decode(bytes.subarray(0, 10_000)).split(/[\r\n]/, 1)
    const headings = head.split(delimiterOf(head)).map((one) => one.replaceAll('"', ''))
    return planColumns(headings, []).fields.filter((field) => field !== '').length
  })
  return ENCODINGS[known.indexOf(Math.max(...known))] ?? ENCODINGS[0]
}
