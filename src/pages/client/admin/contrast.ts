// Says how well text in a color can be read on the grounds of public pages, while it is chosen.
const LEAST = 4.5

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

for (const told of document.querySelectorAll<HTMLOutputElement>('output[data-grounds]')) {
  const input = document.getElementById(told.htmlFor.value)
  if (!(input instanceof HTMLInputElement)) continue
  const show = (): void => {
    const grounds = (told.dataset['grounds'] ?? '').split(' ')
    const least = Math.min(...grounds.map((ground) => contrast(input.value, ground)))
    const template = (least < LEAST ? told.dataset['low'] : told.dataset['good']) ?? ''
    const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 })
    // Never rounded up to what is needed.
    told.textContent = template.replace('{ratio}', number.format(Math.floor(least * 10) / 10))
    told.className = least < LEAST ? 'wrong' : 'hint'
  }
  input.addEventListener('input', show)
  show()
}

export {}
