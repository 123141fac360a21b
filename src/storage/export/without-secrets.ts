import { shownAddress } from '../../base/outgoing/shown-address.ts'
import type { Row, TableName } from './tables.ts'

/** What a subscription says whose address was left out of an export. */
export const NOT_EXPORTED = 'subscriptions.problem.notExported'

/**
 * Makes the rows of a table, in their order, as they leave the calendar when secrets stay. The address of a subscription may
 * contain a token, so only its server is named, and the subscription pauses until someone enters the address; its report may
 * name addresses of images and stays behind. Of the addresses that images were fetched from the queries stay behind.
 */
export function withoutSecrets(table: TableName): (row: Row) => Row {
  if (table === 'source') return subscriptionWithoutAddress
  if (table === 'media') return imageWithoutQuery
  let count = 0
  return (row) => {
    const key = String(row['external_id'])
    if (table !== 'provenance' || !isImage(row) || !key.includes('?')) return row
    count += 1
    // Keys stay different, and in their order: an export is read back in it.
    return { ...row, external_id: `${key.slice(0, key.indexOf('?') + 1)}${String(count).padStart(10, '0')}` }
  }
}

/** Makes the rows of a table as they leave the calendar with secrets: the tokens of providers say more than any copy needs. */
export function withSecrets(table: TableName): (row: Row) => Row {
  return (row) => (table === 'session' ? { ...row, id_token: null } : row)
}

/** Those that are here, and those that were asked for in vain. */
function isImage({ kind }: Row): boolean {
  return String(kind).startsWith('picture')
}

/** No address that is fetched has a fragment: what is left is not taken for another image. */
function imageWithoutQuery(row: Row): Row {
  const { source_url: address, id } = row
  const hasQuery = typeof address === 'string' && address.includes('?')
  return hasQuery ? { ...row, source_url: `${shownAddress(address)}#${String(id)}` } : row
}

function subscriptionWithoutAddress(row: Row): Row {
  const address = String(row['url'])
  // The number keeps the addresses of one server apart; no address that is followed has a fragment.
  const url = `${URL.canParse(address) ? new URL(address).origin : ''}/#${String(row['id'])}`
  const unread = { etag: '', last_modified: '', digest: '', visiting_since: null, report: null }
  return { ...row, url, login: '', ...unread, paused: 1, failures: 0, failing_since: null, problem: NOT_EXPORTED }
}
