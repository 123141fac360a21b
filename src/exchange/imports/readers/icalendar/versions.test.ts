import assert from 'node:assert/strict'
import test from 'node:test'
import { calendar, event } from '../../../../../test/support/icalendar-import.ts'
import { readCalendar } from './read-calendar.ts'

const OPTIONS = { zone: undefined, siteZone: 'UTC', now: Date.UTC(2027, 0, 1), recurrenceYears: 2 }

async function read(...events: readonly (readonly string[])[]) {
  const found = readCalendar('diary.ics', calendar(...events.flat()), OPTIONS)
  const problems = found.problems.map(({ why, isNote }) => `${isNote ? 'note' : 'skipped'} ${why}`)
  return { uids: found.events.map(({ uid }) => uid).sort(), events: found.events, problems }
}

test('one UID with several starts is several events in any order, and repeated ones are read once', async () => {
  const at = (day: string, ...more: string[]) =>
    event('call', `DTSTART:202701${day}T100000Z`, `SUMMARY:${day}`, ...more)
  const all = [at('03'), at('05'), at('04'), at('05')]
  const sameUid = ['note import.note.sameUid', 'note import.note.sameUid']
  for (const events of [all, all.toReversed(), [...all.slice(2), ...all.slice(0, 2)]]) {
    const { uids, problems } = await read(...events)
    assert.deepEqual(uids, ['call 20270103T100000Z', 'call 20270104T100000Z', 'call 20270105T100000Z'])
    assert.deepEqual(problems, sameUid)
  }
  const moved = await read(at('03', 'SEQUENCE:1'), at('05', 'SEQUENCE:2'))
  assert.deepEqual([moved.uids, moved.problems], [['call'], ['skipped import.problem.olderVersion']])
})

test('a date that a newer version of the series excludes stays out, and one that it does not exclude stays in', async () => {
  const series = (sequence: number) =>
    event(
      'yoga',
      'DTSTART:20270105T100000Z',
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE:20270106T100000Z',
      `SEQUENCE:${sequence}`,
    )
  const date = (day: string, sequence: number) =>
    event('yoga', `RECURRENCE-ID:202701${day}T100000Z`, `DTSTART:202701${day}T150000Z`, `SEQUENCE:${sequence}`)
  const excludedBy = async (sequence: number) => {
    const { events, problems } = await read(series(sequence), date('06', 1), date('07', 0))
    const [one] = events
    return [
      one?.exceptions.map(({ recurrenceId }) => recurrenceId.slice(8, 10)).toSorted(),
      one?.recurrence?.excluded.length,
      problems,
    ]
  }
  assert.deepEqual(await excludedBy(2), [['07'], 1, ['note import.note.excludedDate']])
  assert.deepEqual(await excludedBy(1), [['06', '07'], 0, []])
})

test('a change of all later dates changes the one that it names, and the report says so', async () => {
  const series = event('yoga', 'DTSTART:20270105T100000Z', 'RRULE:FREQ=DAILY;COUNT=6')
  const date = event('yoga', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270108T100000Z', 'DTSTART:20270108T150000Z')
  const { events, problems } = await read(series, date)
  const changed = events.map(({ exceptions }) => exceptions.map(({ times }) => times.startUtc))
  assert.deepEqual([changed, problems], [[['2027-01-08 15:00:00']], ['note import.note.onlyOneDate']])
})
