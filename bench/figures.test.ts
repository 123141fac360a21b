import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARS, type Bar, FigureBook, judge } from './figures.ts'
import { isMissed, linesOf, markdownOf, type RunFacts, verdictsOf } from './report.ts'

const FACTS: RunFacts = {
  at: '2026-11-20T18:00:00.000Z',
  machine: '2 cores',
  node: '24.0.0',
  commit: 'abc',
  isPinned: true,
  isAwake: true,
  events: 10_000,
  big: 1_000_000,
  rounds: 3,
  seconds: 2,
}

function bookOf(figures: Readonly<Record<string, readonly number[]>>): FigureBook {
  const book = new FigureBook()
  for (const [name, numbers] of Object.entries(figures)) for (const number of numbers) book.add(name, number)
  return book
}

test('the median of the rounds decides about a bar, at its limit it is held', () => {
  const bar: Bar = {
    title: 'half',
    of: (figures) => figures.get('x/y/rate') ?? [],
    limit: { atLeast: 0.5 },
    unit: 'times',
  }
  const outcome = (numbers: readonly number[]): string => judge(bar, bookOf({ 'x/y/rate': numbers }).figures).outcome
  assert.deepEqual([outcome([0.1, 0.5, 0.9]), outcome([0.4, 0.49, 0.9]), outcome([])], ['pass', 'fail', 'not measured'])
  const upper = { ...bar, limit: { atMost: 0.5 } }
  assert.equal(judge(upper, bookOf({ 'x/y/rate': [0.6] }).figures).outcome, 'fail')
})

test('each bar is one of the report, measured or not', () => {
  const markdown = markdownOf(FACTS, new FigureBook().figures)
  for (const { title } of BARS) assert.ok(markdown.includes(`| ${title} | at`), title)
  assert.equal(markdown.match(/not measured \|/g)?.length, BARS.length)
})

test('growth is how many times more processor time the big calendar takes', () => {
  const book = bookOf({
    'category-uncached/no-caches/cpu': [200, 100],
    'category-uncached/big-no-caches/cpu': [300, 310],
    'category/kalends/cpu': [100],
    'category/big/cpu': [900],
  })
  const verdict = verdictsOf(book.figures, FACTS).find((one) => one.title.startsWith('category page'))
  assert.deepEqual([verdict?.measured?.least, verdict?.outcome], [1.5, 'fail'])
})

test('a bar of a million events that was measured with fewer says so', () => {
  const book = bookOf({ 'searches/rare': [3], 'searches/first-page': [1] })
  const titles = verdictsOf(book.figures, { events: 10_000, big: 100_000 }).map((one) => one.title)
  assert.ok(titles.some((title) => title.endsWith('every cache off (here 100,000 against 10,000)')))
})

test('beside an attack others wait half as long as for the bare server, or 250 ms', () => {
  const outcomeOf = (attacked: number, raw: number): string | undefined => {
    const name = 'held-bodies-anonymous'
    const { figures } = bookOf({ [`${name}/attacked/slowest`]: [attacked], [`${name}/raw/slowest`]: [raw] })
    assert.equal(isMissed(figures), attacked > Math.max(raw / 2, 250))
    return verdictsOf(figures, FACTS).find((one) => one.outcome !== 'not measured')?.outcome
  }
  const outcomes = [outcomeOf(240, 30), outcomeOf(260, 30), outcomeOf(500, 1_000), outcomeOf(600, 1_000)]
  assert.deepEqual(outcomes, ['pass', 'fail', 'pass', 'fail'])
})

test('the report has a line for each load with its spread', () => {
  const book = bookOf({
    'by-id/kalends/rate': [1000, 1100, 1200],
    'by-id/kalends/p99': [1.5],
    'by-id/raw/rate': [9000],
  })
  const lines = linesOf(book.figures)
  assert.deepEqual(
    lines.map((line) => `${line.workload} ${line.target} ${line.rate.median}`),
    ['by-id kalends 1100', 'by-id raw 9000'],
  )
  assert.ok(markdownOf(FACTS, book.figures).includes('| by-id | kalends | 1100 (1000–1200) |  | 1.5 |  | 0 |'))
})
