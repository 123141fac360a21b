import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from '../../../../test/support/app.ts'

test('a dry run tells how the first ten events would look, an import does not', async (t) => {
  const { app } = await openTestApp(t)
  const table = (name: string, count: number) => {
    const rows = Array.from({ length: count }, (_, day) => `${name} ${day},2027-01-0${1 + day} 10:00,Pier,${name}`)
    return { name: `${name}.csv`, bytes: Buffer.from(['title,start_date,venue,status', ...rows].join('\n')) }
  }
  const files = [table('draft', 8), table('cancelled', 5)]
  const { preview = [] } = (await app.importCalendars?.({ files, isDryRun: true }, () => undefined)) ?? {}
  assert.deepEqual(
    preview.map(({ title, venues, status, event_status }) => [title, venues.join(), status, event_status].join(' ')),
    [
      ...Array.from({ length: 8 }, (_, day) => `draft ${day} Pier draft scheduled`),
      ...['cancelled 0 Pier publish canceled', 'cancelled 1 Pier publish canceled'],
    ],
  )
  assert.deepEqual([preview[0]?.start_local, preview[0]?.timezone], ['2027-01-01 10:00:00', 'America/New_York'])
  assert.equal((await app.importCalendars?.({ files }, () => undefined))?.preview, undefined)
})
