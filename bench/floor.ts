import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

type Row = Record<string, unknown>
type Page = Row & { readonly events: readonly Row[] }

function serve(db: DatabaseSync, shape: Page): void {
  db.exec('pragma cache_size = -32768; pragma mmap_size = 268435456')
  const page = pageReader(db, shape)
  const server = createServer((request, response) => {
    const query = new URLSearchParams(request.url?.split('?')[1])
    const start = query.get('start_date') ?? shape['first']
    const end = query.get('end_date') ?? '9999-12-31 23:59:59'
    const body = Buffer.from(JSON.stringify(page(String(start), end)))
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}

const WINDOW = `from occurrence where listed = 1 and status = 'publish' and start_local >= ? and end_local <= ?`

function pageReader(db: DatabaseSync, shape: Page): (start: string, end: string) => Page {
  const ids = db.prepare(`select event_id as id ${WINDOW} order by start_local, published_at, id limit 10`)
  const total = db.prepare(`select count(*) as total ${WINDOW}`)
  const events = db.prepare('select * from event where id in (select value from json_each(?))')
  const linked = ['venue', 'organizer', 'category', 'tag'].map((kind) => ({
    member: MEMBERS[kind] ?? kind,
    statement: db.prepare(`select event_id, ${kind}.* from event_${kind} inner join ${kind} on ${kind}.id = ${kind}_id
      where event_id in (select value from json_each(?)) order by position`),
  }))
  return (start, end) => {
    const found = ids.all(start, end).map((row) => Number(row['id']))
    const list = JSON.stringify(found)
    const rows = new Map(events.all(list).map((row) => [row['id'], row]))
    const parts = linked.map(({ member, statement }) => ({ member, of: byEvent(statement, list) }))
    const items = found.map((id, index) => {
      const item: Row = { ...shape.events[index % shape.events.length] }
      overwrite(item, rows.get(id) ?? {})
      for (const { member, of } of parts) item[member] = joined(item[member], of.get(id) ?? [])
      return item
    })
    return { ...shape, events: items, total: total.get(start, end)?.['total'] }
  }
}

const MEMBERS: Readonly<Record<string, string>> = { category: 'categories', tag: 'tags' }

function byEvent(statement: StatementSync, ids: string): Map<unknown, Row[]> {
  return Map.groupBy(statement.all(ids), (row) => row['event_id'])
}

/** Members that both have get the value of the row. */
function overwrite(item: Row, row: Row): void {
  for (const member in item) if (Object.hasOwn(row, member)) item[member] = row[member]
}

function joined(shown: unknown, rows: readonly Row[]): unknown {
  if (!Array.isArray(shown)) return withRow(shown as Row, rows[0] ?? {})
  return rows.map((row, index) => withRow((shown[index] ?? shown[0] ?? {}) as Row, row))
}

function withRow(shape: Row, row: Row): Row {
  const item = { ...shape }
  overwrite(item, row)
  return item
}

// The floor of an answer that is rebuilt: the first page of a window, asked with hand-written SQL and serialized with
// JSON.stringify. What no query gives (addresses, dates in parts) is taken from a recorded page, so that as many bytes
// are sent. Arguments: database file, file with the recorded page.
const [database, recorded] = process.argv.slice(2)
if (database !== undefined && recorded !== undefined) {
  serve(new DatabaseSync(database, { readOnly: true }), JSON.parse(readFileSync(recorded, 'utf8')) as Page)
}
