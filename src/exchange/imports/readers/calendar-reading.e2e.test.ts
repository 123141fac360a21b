import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { readCalendarFile, readCalendarFiles } from './reading.ts'

const OPTIONS = { zone: undefined, siteZone: 'Europe/Berlin', now: Date.UTC(2027, 0, 1), recurrenceYears: 2 }

function file(...lines: readonly string[]): { readonly name: string; readonly bytes: Buffer } {
  return { name: 'diary.ics', bytes: Buffer.from(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n')) }
}

function event(index: number): string[] {
  const start = `DTSTART:20270301T${String(index % 24).padStart(2, '0')}0000`
  return [
    'BEGIN:VEVENT',
    `UID:walk-${index}`,
    start,
    'RRULE:FREQ=WEEKLY;COUNT=9',
    `SUMMARY:Walk ${index}`,
    'END:VEVENT',
  ]
}

test('others have their turns all the time while a large file is read', async () => {
  const large = file(...Array.from({ length: 3_000 }, (_none, index) => event(index)).flat())
  let turns = 0
  let isReading = true
  const reading = readCalendarFile(large, OPTIONS).finally(() => {
    isReading = false
  })
  while (isReading) {
    turns += 1
    await setImmediate()
  }
  const { events } = await reading
  assert.deepEqual([events.length, events.at(-1)?.uid], [3_000, 'walk-2999'])
  // Read here, twenty events a turn, there would be 150.
  assert.ok(turns > 1_000, `${turns} turns`)
})

test('a file that takes too much memory is refused, and the next one is read', async () => {
  const lines = Array.from({ length: 19_000 }, (_none, index) => `A;B=${index}:\n`)
  const many = `BEGIN:VEVENT\n${lines.join('')}END:VEVENT\n`
  const bomb = file(many.repeat(150))
  await assert.rejects(readCalendarFile(bomb, OPTIONS), { code: 'calendar_not_readable' })
  assert.equal((await readCalendarFile(file(...event(1)), OPTIONS)).events.length, 1)
})

test('errors come back as they were, and the thread goes on', async () => {
  const hopeless = { name: 'x.ics', bytes: Buffer.from('nothing') }
  for (const _time of [1, 2])
    await assert.rejects(readCalendarFiles(hopeless, OPTIONS), {
      code: 'calendar_not_readable',
      slots: { file: 'x.ics', reason: 'import.problem.notCalendarStart?start=nothing' },
    })
  assert.equal((await readCalendarFiles(file(...event(2)), OPTIONS)).length, 1)
})

test('more files than wait at most are refused', async () => {
  const readings = await Promise.allSettled(
    Array.from({ length: 40 }, (_none, index) => readCalendarFile(file(...event(index)), OPTIONS)),
  )
  const refused = readings.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  assert.deepEqual(
    refused,
    Array.from({ length: 8 }, () => 'rest_unavailable'),
  )
})
