/** What an export says of its format: the number, and that of the last migration of its database. */
interface Format {
  readonly format: number
  readonly schema: number
}

/** Number of the last migration of the databases that exports of format 1 came from, before the first release. */
const SCHEMA = 36

/** Tables of format 1 that are not imported: the removals in them could be undone for an hour only. */
const LEFT_OUT: readonly string[] = ['removed_item']

/** Whether a table of an export is not imported. */
export function isLeftOut({ format }: Pick<Format, 'format'>, table: string): boolean {
  return format === 1 && LEFT_OUT.includes(table)
}

/** Why an export of format 1 cannot be imported; undefined if it can, or has another format. */
export function problemOfFormat1({ format, schema }: Format): string | undefined {
  return format === 1 && schema !== SCHEMA ? 'it was made by a version from before the first release' : undefined
}
