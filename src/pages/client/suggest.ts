// What a search would find stands below its field while somebody types: venues, organizers, categories and events.

interface Found {
  readonly url: string
  readonly name?: string
  readonly title?: string
  readonly place?: string
  readonly start_date?: string
}

const PAUSE = 200
const LEAST = 3
const MOST = 4

class Suggestions {
  readonly #field: HTMLInputElement
  readonly #address: string
  readonly #list = document.createElement('ul')
  #timer = 0
  #chosen = -1

  constructor(field: HTMLInputElement, address: string) {
    this.#field = field
    this.#address = address
    Object.assign(this.#list, { id: 'suggestions', role: 'listbox', ariaLabel: field.ariaLabel, hidden: true })
    Object.assign(field, { role: 'combobox', autocomplete: 'off', ariaAutoComplete: 'list', ariaExpanded: 'false' })
    field.setAttribute('aria-controls', this.#list.id)
    field.form?.append(this.#list)
  }

  listen(): void {
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => void this.#ask(), PAUSE)
    })
    this.#field.addEventListener('keydown', (event) => {
      // While an input method composes, its keys are its own.
      if (!event.isComposing && this.#takes(event.key)) event.preventDefault()
    })
    this.#field.addEventListener('blur', () => {
      clearTimeout(this.#timer)
      this.#show([])
    })
    // The field keeps the focus, and so the list stays.
    this.#list.addEventListener('mousedown', (event) => event.preventDefault())
    this.#list.addEventListener('click', ({ target }) => {
      if (target instanceof Element) go(target.closest('li'))
    })
  }

  async #ask(): Promise<void> {
    const words = this.#field.value.trim()
    const asked = `${this.#address}?per_page=${MOST}&q=${encodeURIComponent(words)}`
    const response = words.length < LEAST ? undefined : await fetch(asked).catch(() => undefined)
    const found = response?.ok === true ? ((await response.json()) as Record<string, readonly Found[]>) : {}
    if (this.#field.value.trim() !== words || document.activeElement !== this.#field) return
    const kinds = ['venues', 'organizers', 'categories', 'events']
    this.#show(kinds.flatMap((kind) => (found[kind] ?? []).slice(0, MOST)).map(optionOf))
  }

  #show(options: readonly HTMLElement[]): void {
    this.#list.replaceChildren(...options)
    this.#list.hidden = options.length === 0
    this.#field.ariaExpanded = String(!this.#list.hidden)
    this.#choose(-1)
  }

  #choose(index: number): void {
    this.#chosen = index
    for (const [place, option] of [...this.#list.children].entries()) option.ariaSelected = String(place === index)
    this.#field.setAttribute('aria-activedescendant', this.#list.children[index]?.id ?? '')
  }

  /** Whether a key was meant for the list. */
  #takes(key: string): boolean {
    const { length } = this.#list.children
    if (length === 0) return false
    if (key === 'Escape') this.#show([])
    else if (key === 'ArrowDown') this.#choose((this.#chosen + 1) % length)
    else if (key === 'ArrowUp') this.#choose((Math.max(this.#chosen, 0) + length - 1) % length)
    else if (key === 'Enter' && this.#chosen >= 0) go(this.#list.children[this.#chosen])
    else return false
    return true
  }
}

function optionOf({ url, name, title, place, start_date: start = '' }: Found, index: number): HTMLElement {
  const option = document.createElement('li')
  Object.assign(option, { id: `suggestion-${index}`, role: 'option', ariaSelected: 'false' })
  const { pathname, search } = new URL(url)
  option.dataset['to'] = pathname + search
  const label = document.createElement('bdi')
  label.textContent = name ?? title ?? ''
  const note = document.createElement('small')
  note.textContent = place ?? dayOf(start)
  option.append(label, ' ', note)
  return option
}

function dayOf(start: string): string {
  const { lang } = document.documentElement
  return new Date(`${start.slice(0, 10)}T12:00`).toLocaleDateString(lang, { day: 'numeric', month: 'short' })
}

function go(option: Element | null | undefined): void {
  const to = option instanceof HTMLElement ? option.dataset['to'] : undefined
  if (to !== undefined) location.assign(to)
}

const field = document.querySelector<HTMLInputElement>('form.search[data-suggest] input')
if (field !== null) new Suggestions(field, field.form?.dataset['suggest'] ?? '').listen()

export {}
