import sharp from 'sharp'

const SKIES = [
  ['#1b2a6b', '#e2725b', '#f6c667'],
  ['#0b3d4d', '#3fa796', '#f7f0d4'],
  ['#3c1642', '#b03a6c', '#ffb88a'],
  ['#12263a', '#5c7aea', '#e8eefc'],
] as const

const [WIDTH, HEIGHT] = [1280, 860]

/** A painted evening over water, as PNG; each seed another one. Pixel by pixel, as a process that decodes images knows no SVG. */
export function sampleImage(seed: number): Promise<Buffer> {
  const [top, middle, low] = (SKIES[seed % SKIES.length] ?? SKIES[0]).map(channelsOf) as [number[], number[], number[]]
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y += 1) {
    const height = y / HEIGHT
    const sky = height < 0.6 ? mix(top, middle, height / 0.6) : mix(middle, low, (height - 0.6) / 0.4)
    for (let x = 0; x < WIDTH; x += 1) {
      const isSun = Math.hypot(x - (300 + seed * 190), y - 330) < 86
      const lit = isSun ? mix(sky, low, 0.85) : sky
      const isHill = y > 560 + 70 * Math.sin((x / 120) * 1.3 + seed)
      pixels.set(isHill ? mix(lit, top, 0.75) : lit, (y * WIDTH + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer()
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function mix(one: readonly number[], other: readonly number[], share: number): number[] {
  return one.map((value, channel) => value + ((other[channel] ?? 0) - value) * share)
}
