import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IS_FULL } from '../../../test/support/draws.ts'
import { offsetsOf } from './clock.ts'

/** What the runtime says, without anything remembered. */
function shownBy(zone: string): (seconds: number) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', minute: 'numeric' })
  return (seconds) => format.format(seconds * 1000).replace(/^.*GMT/, '') || '+00:00'
}

function textOf(offset: number): string {
  const minutes = Math.abs(offset) / 60
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Zones with the changes of clocks that differ most from each other. */
const NOTABLE = [
  ...['Africa/Casablanca', 'Africa/El_Aaiun', 'Africa/Cairo', 'Asia/Jerusalem', 'Asia/Beirut', 'Europe/Berlin'],
  ...['America/New_York', 'America/Santiago', 'America/Nuuk', 'America/Havana', 'Australia/Lord_Howe'],
  ...['Antarctica/Troll', 'Pacific/Auckland', 'Asia/Kathmandu', 'Europe/Dublin', 'Asia/Gaza'],
]

const zones = IS_FULL ? Intl.supportedValuesOf('timeZone') : NOTABLE

test('offsets of years to come are those of the runtime, to 2101 and in years long after', () => {
  const [from, until] = [Date.UTC(2037, 6, 1) / 1000, Date.UTC(2101, 6, 1) / 1000]
  const step = 3 * 86_400
  for (const zone of zones) {
    const offsetAt = offsetsOf(zone)
    const shown = shownBy(zone)
    const compare = (seconds: number): void =>
      assert.equal(textOf(offsetAt(seconds)), shown(seconds), `${zone} ${new Date(seconds * 1000).toISOString()}`)
    for (let seconds = from; seconds < until; seconds += step) compare(seconds)
    for (const year of [2102, 2104, 2132, 2200, 2399, 2400, 4444, 9996, 9999])
      for (let day = 0; day < 365; day += 3) compare(Date.UTC(year, 0, day + 1, 5) / 1000)
  }
})

test('clocks of years long after change at the moment at which the runtime changes them', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago']) {
    const offsetAt = offsetsOf(zone)
    const shown = shownBy(zone)
    for (const year of [2060, 2103, 2500, 7031]) {
      let changes = 0
      for (let seconds = Date.UTC(year, 0, 1) / 1000; seconds < Date.UTC(year + 1, 0, 1) / 1000; seconds += 1800) {
        assert.equal(textOf(offsetAt(seconds)), shown(seconds), `${zone} ${new Date(seconds * 1000).toISOString()}`)
        changes += Number(offsetAt(seconds) !== offsetAt(seconds - 1800))
      }
      assert.equal(changes, 2, `${zone} ${year}`)
    }
  }
})
