import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BARS, type Bar, FigureBook, judge } from './figures.ts'
import { plotOf } from './plot.ts'
import { linesOf, markdownOf, type RunFacts, verdictsOf } from './report.ts'

const FACTS: RunFacts = {
  at: '2026-11-20T18:00:00.000Z',
  machine: '2 cores',
  node: '24.0.0',
  commit: 'abc',
  load: 'wrk',
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

test('growth is how many times fewer answers the big calendar gives', () => {
  const book = bookOf({
    'category-uncached/no-caches/rate': [300, 310],
    'category-uncached/big-no-caches/rate': [200, 100],
    'category/kalends/rate': [900],
    'category/big/rate': [100],
  })
  const verdict = verdictsOf(book.figures, FACTS).find((one) => one.title.startsWith('category page'))
  assert.deepEqual([verdict?.measured?.least, verdict?.outcome], [1.5, 'fail'])
})

test('a bar of a million events that was measured with fewer says so', () => {
  const book = bookOf({ 'search-rare/big/p99-cold': [3] })
  const titles = verdictsOf(book.figures, { events: 10_000, big: 100_000 }).map((one) => one.title)
  assert.ok(titles.some((title) => title.endsWith('cold (here 100,000 against 10,000)')))
})

test('report and plot have a line for each load with its spread', () => {
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
  const plot = plotOf(lines)
  assert.match(plot, /^<svg [^>]*height="76"/)
  assert.equal(plot.match(/<rect x=/g)?.length, 2)
})
