import type { Row, TableName } from './tables.ts'

/** What a source says whose address was left out of an export. */
export const NOT_EXPORTED = 'its address was not exported: enter it again'

/**
 * A row as it leaves the calendar when secrets stay: the address of a source may contain a token, so only its server is
 * named, and the source pauses until somebody enters the address.
 */
export function withoutSecrets(table: TableName, row: Row): Row {
  if (table !== 'source') return row
  const address = String(row['url'])
  // The number keeps the addresses of one server apart; no address that is followed has a fragment.
  const url = `${URL.canParse(address) ? new URL(address).origin : ''}/#${String(row['id'])}`
  const unread = { etag: '', last_modified: '', digest: '', visiting_since: null }
  return { ...row, url, ...unread, paused: 1, failures: 0, problem: NOT_EXPORTED }
}
