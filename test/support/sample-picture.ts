import sharp from 'sharp'

const SKIES = [
  ['#1b2a6b', '#e2725b', '#f6c667'],
  ['#0b3d4d', '#3fa796', '#f7f0d4'],
  ['#3c1642', '#b03a6c', '#ffb88a'],
  ['#12263a', '#5c7aea', '#e8eefc'],
] as const

/** A painted evening over water, as PNG; each seed another one. */
export function samplePicture(seed: number): Promise<Buffer> {
  const [top, middle, low] = SKIES[seed % SKIES.length] ?? SKIES[0]
  const hills = Array.from({ length: 12 }, (_, index) => `${index * 120},${560 + 70 * Math.sin(index * 1.3 + seed)}`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="860"><defs><linearGradient id="g" x2="0" y2="1">
<stop stop-color="${top}"/><stop offset=".6" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient></defs>
<rect width="1280" height="860" fill="url(#g)"/><circle cx="${300 + seed * 190}" cy="330" r="86" fill="${low}" opacity=".85"/>
<polygon points="0,860 ${hills.join(' ')} 1320,860" fill="${top}" opacity=".75"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}
