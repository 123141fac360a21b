// Single keys of the administration: / searches, j and k go through a list, e opens, n starts a new event.
const OFF = 'kalends keys off'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null
}

function rows(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.rows a.title')]
}

function step(by: number): void {
  const links = rows()
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement) === true)
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))
  links[next]?.focus()
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLElement>('main [type=search]')?.focus(),
  j: () => step(1),
  k: () => step(-1),
  e: () => document.activeElement?.closest('tr')?.querySelector<HTMLAnchorElement>('a.title')?.click(),
  n: () => location.assign(new URL('../admin/events/new', import.meta.url)),
}

document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event
  if (altKey || ctrlKey || metaKey || event.isComposing || isTyping(target)) return
  const act = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined
  if (act === undefined || localStorage.getItem(OFF) !== null) return
  event.preventDefault()
  act()
})

/** The list of the keys, with a box that switches them off: they get in the way of people who speak to their computer. */
class KeyboardHelp extends HTMLElement {
  connectedCallback(): void {
    this.hidden = false
    const box = this.querySelector<HTMLInputElement>('input')
    if (box === null) return
    box.checked = localStorage.getItem(OFF) === null
    box.addEventListener('change', () => {
      if (box.checked) localStorage.removeItem(OFF)
      else localStorage.setItem(OFF, '1')
    })
  }
}
customElements.define('keyboard-help', KeyboardHelp)

export {}
