import type { Line } from './report.ts'

const WIDTH = 900
const ROW = 18
const LEFT = 230
const COLOURS: Readonly<Record<string, string>> = {
  kalends: '#2f6f4f',
  'no-caches': '#7a9e7e',
  big: '#8a5a2b',
  raw: '#9aa0a6',
  floor: '#c9b458',
  bare: '#c9b458',
  'bare-shared': '#e0d6a8',
  peer: '#7b4b94',
}

/** A bar for each line, its length by the logarithm of the answers a second, with a line from the smallest to the largest. */
export function plotOf(lines: readonly Line[]): string {
  const most = Math.max(10, ...lines.map((line) => line.rate.most))
  const scale = (rate: number): number => (Math.log10(Math.max(rate, 1)) / Math.log10(most)) * (WIDTH - LEFT - 90)
  const rows = lines.map((line, index) => rowOf(line, { top: 30 + index * ROW, scale }))
  const height = 40 + lines.length * ROW
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    '<text x="10" y="18" font-size="13">Answers a second (logarithmic)</text>',
    ...rows,
    '</svg>',
    '',
  ].join('\n')
}

function rowOf(
  { workload, target, rate }: Line,
  { top, scale }: { readonly top: number; readonly scale: (rate: number) => number },
): string {
  const colour = COLOURS[target] ?? '#555'
  const middle = top + ROW / 2
  const length = scale(rate.median).toFixed(1)
  const [from, to] = [rate.least, rate.most].map((one) => (LEFT + scale(one)).toFixed(1))
  return [
    `<text x="${LEFT - 8}" y="${middle + 4}" text-anchor="end">${escaped(`${workload} · ${target}`)}</text>`,
    `<rect x="${LEFT}" y="${top + 3}" width="${length}" height="${ROW - 6}" fill="${colour}"/>`,
    `<line x1="${from}" x2="${to}" y1="${middle}" y2="${middle}" stroke="#000"/>`,
    `<text x="${WIDTH - 6}" y="${middle + 4}" text-anchor="end">${Math.round(rate.median)}</text>`,
  ].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
