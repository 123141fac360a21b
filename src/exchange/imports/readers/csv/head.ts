import { type ColumnChoice, planColumns, type TableKind } from './columns.ts'
import { firstRows, isTable } from './table.ts'

/** A column of a table. */
export interface TableColumn {
  /** As it stands in the file, cut at 100 characters. */
  readonly heading: string
  /** The field that it is imported as; '' for none. */
  readonly field: string
  /** The first text in it, cut at 60 characters; '' where the first rows have none. */
  readonly sample: string
}

/** The fields assigned to the columns of a table. */
export interface TableHead {
  readonly kind: TableKind
  readonly columns: readonly TableColumn[]
}

/** Rows in which samples are looked for. */
const ROWS = 20

/** The fields assigned to the columns of a file; undefined for a file that is not a table or cannot be read. */
export function headOf(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  said: readonly ColumnChoice[],
): TableHead | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isTable(name, buffer)) return undefined
  const [headings, ...rows] = firstRows(buffer, ROWS)
  if (headings === undefined) return undefined
  const { kind, fields } = planColumns(headings, said)
  const columns = headings.map((heading, index) => ({
    heading: heading.slice(0, 100),
    field: fields[index] ?? '',
    sample: (rows.map((row) => row[index] ?? '').find((text) => text !== '') ?? '').replace(/\s+/g, ' ').slice(0, 60),
  }))
  return { kind, columns }
}
