// The buttons above the editor: one stop of the key Tab, arrows go from one to the next.

/** A button of the editor. */
export interface RichButton {
  /** Name for people, in the language of the page. */
  readonly name: string
  /** The name of a drawing in `DRAWINGS`, or letters. */
  readonly look: string
  readonly keys?: string
  press(): void
  /** Whether what it does is done already at the selection. */
  isOn?(): boolean
  /** Whether it is shown in both views, of the text and of its source. */
  readonly isAlways?: boolean
}

/** Lines in a square of 24. */
const DRAWINGS: Readonly<Record<string, string>> = {
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  numbers: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M3.5 15.5c0-2 3-2 3 0 0 1.200-3 2.500-3 3.500h3',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700l1.500-1.500',
  quote: 'M5 17c3-1 4-3 4-6V7H4v5h4M15 17c3-1 4-3 4-6V7h-5v5h4',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15.500 9h.01',
  source: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14',
}

const SVG = 'http://www.w3.org/2000/svg'

/** Buttons, and what updates them. */
export interface Toolbar {
  readonly element: HTMLElement
  /** Shows which buttons are on; those of the text are off where its source is shown. */
  update(isSource: boolean): void
}

/** Makes the buttons. */
export function toolbarOf(label: string, buttons: readonly RichButton[]): Toolbar {
  const element = document.createElement('div')
  element.className = 'toolbar'
  element.setAttribute('role', 'toolbar')
  element.setAttribute('aria-label', label)
  const made = buttons.map((button) => ({ button, control: controlOf(button) }))
  element.append(...made.map(({ control }) => control))
  const usable = (): HTMLButtonElement[] => made.map(({ control }) => control).filter(({ disabled }) => !disabled)
  const stopAt = (wanted: HTMLButtonElement | undefined): void => {
    for (const { control } of made) control.tabIndex = control === wanted ? 0 : -1
  }
  element.addEventListener('keydown', (event) => {
    const controls = usable()
    const next = nextOf(event.key, controls, document.activeElement)
    if (next === undefined) return
    event.preventDefault()
    stopAt(next)
    next.focus()
  })
  element.addEventListener('focusin', ({ target }) => stopAt(made.find(({ control }) => control === target)?.control))
  return {
    element,
    update: (isSource) => {
      for (const { button, control } of made) {
        control.disabled = isSource && button.isAlways !== true
        if (button.isOn !== undefined) control.setAttribute('aria-pressed', String(button.isOn()))
      }
      const controls = usable()
      if (!controls.some(({ tabIndex }) => tabIndex === 0)) stopAt(controls[0])
    },
  }
}

function nextOf(
  key: string,
  controls: readonly HTMLButtonElement[],
  from: Element | null,
): HTMLButtonElement | undefined {
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const backward = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const at = controls.findIndex((one) => one === from)
  const count = controls.length
  const places: Readonly<Record<string, number>> = {
    [forward]: (at + 1) % count,
    [backward]: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  }
  const place = Object.hasOwn(places, key) ? places[key] : undefined
  return place === undefined ? undefined : controls[place]
}

function controlOf({ name, look, keys, press, isOn }: RichButton): HTMLButtonElement {
  const control = document.createElement('button')
  control.type = 'button'
  control.tabIndex = -1
  control.title = keys === undefined ? name : `${name} (${keys})`
  control.setAttribute('aria-label', name)
  if (isOn !== undefined) control.setAttribute('aria-pressed', 'false')
  const drawing = Object.hasOwn(DRAWINGS, look) ? DRAWINGS[look] : undefined
  control.append(drawing === undefined ? look : drawn(drawing))
  // The selection of the text stays.
  control.addEventListener('mousedown', (event) => event.preventDefault())
  control.addEventListener('click', press)
  return control
}

function drawn(lines: string): SVGElement {
  const picture = document.createElementNS(SVG, 'svg')
  const path = document.createElementNS(SVG, 'path')
  picture.setAttribute('viewBox', '0 0 24 24')
  picture.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', lines)
  picture.append(path)
  return picture
}
