import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { readRecorded } from './reading.ts'

const NAME = 'made.json'
const EVENT = {
  ...{ id: 1, global_id: 'harbour.example?id=1', title: 'Regatta', description: '<p>Bring a dry bag.</p>'.repeat(50) },
  ...{ start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 11:00:00', tags: [], venue: { venue: 'Pier' } },
}

function file(value: unknown) {
  return { name: NAME, bytes: Buffer.from(JSON.stringify(value)) }
}

test('others have their turns all the time while recorded responses are read', async () => {
  const events = Array.from({ length: 4_000 }, (_none, index) => ({ ...EVENT, id: index + 1 }))
  const large = file({ events })
  let turns = 0
  let isReading = true
  const reading = readRecorded([large]).finally(() => {
    isReading = false
  })
  while (isReading) {
    turns += 1
    await setImmediate()
  }
  const items = await reading
  assert.deepEqual([items.length, items.at(-1)?.source.members], [4_000, events.at(-1)])
  // Taken over in parts of fifty, which are 80 turns; parsed here there would be no others.
  assert.ok(turns > 1_000, `${turns} turns`)
})

test('what is wrong with a file is said as it was found, and the next one is read', async () => {
  const broken = { name: 'x.json', bytes: Buffer.from('{"events": [') }
  for (const _time of [1, 2])
    await assert.rejects(readRecorded([file(EVENT), broken]), (error: { code: string; slots: { file: string } }) => {
      assert.deepEqual([error.code, error.slots.file], ['recorded_not_json', 'x.json'])
      return true
    })
  assert.equal((await readRecorded([file(EVENT)])).length, 1)
})

test('dates of a series come with their event, also from another file', async () => {
  const head = { ...EVENT, id: 5, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  const date = { ...EVENT, id: 6, series: { id: 5, recurrence_id: '2027-01-02 10:00:00' } }
  const [only, ...others] = await readRecorded([file(date), file(head)])
  assert.deepEqual([only?.dates?.map(({ members }) => members), others], [[date], []])
})
