/** Result codes of SQLite for pages that make no sense (https://www.sqlite.org/rescode.html): CORRUPT and NOTADB. */
const DAMAGE = new Set([11, 26])

/** Whether something failed because pages of a database file make no sense. */
export function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  return typeof error.errcode === 'number' && DAMAGE.has(error.errcode & 0xff)
}
