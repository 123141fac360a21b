// Stores input of a form in the browser until the server has it, and warns before it is lost.
const PAUSE = 400
const PREFIX = 'kalends draft '
/** Which draft was sent last, and under which name: the page that says it was saved forgets it. */
const SENT = 'kalends sent'
/** Drafts of items that nobody came back to are forgotten. */
const LONGEST = 30 * 86_400_000

/** What stands in a form, by the names of its fields. */
type Entries = readonly (readonly [name: string, value: string])[]

interface Draft {
  /** Unix milliseconds. */
  readonly at: number
  readonly entries: Entries
}

class FormDraft extends HTMLElement {
  #key = ''
  #began = ''
  #timer = 0
  #isSending = false
  #isTouched = false

  connectedCallback(): void {
    dropSaved(this.dataset['saved'])
    const form = this.closest('form')
    if (form === null) return
    this.#key = `${PREFIX}${this.dataset['owner'] ?? ''} ${form.getAttribute('action') ?? location.pathname}`
    dropOld()
    this.#began = this.hasAttribute('data-unsaved') ? '' : textOf(form)
    // A refused form has the values that were sent last.
    if (!this.hasAttribute('data-unsaved')) this.#offer(form)
    form.addEventListener('input', () => {
      this.#isTouched = true
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#keep(form), PAUSE)
    })
    form.addEventListener('submit', () => {
      this.#keep(form)
      this.#isSending = true
      this.#name(form)
    })
    addEventListener('pageshow', () => {
      this.#isSending = false
    })
    addEventListener('beforeunload', (event) => {
      this.#keep(form)
      if (!this.#isSending && textOf(form) !== this.#began) event.preventDefault()
    })
  }

  /** An older draft stays until someone types or decides. */
  #keep(form: HTMLFormElement): void {
    if (!this.#isTouched) return
    const entries = entriesOf(form)
    if (JSON.stringify(typed(entries)) === this.#began) localStorage.removeItem(this.#key)
    else write(localStorage, this.#key, JSON.stringify({ at: Date.now(), entries }))
  }

  /** Each time it is sent a draft has another name, so that no earlier page says that this one was saved. */
  #name(form: HTMLFormElement): void {
    const name = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join('')
    const input = form.querySelector<HTMLInputElement>('input[name=_draft]')
    if (input !== null) input.value = name
    write(sessionStorage, SENT, `${name} ${this.#key}`)
  }

  /** Offers unsaved input, if it differs from the form. */
  #offer(form: HTMLFormElement): void {
    const draft = draftIn(localStorage.getItem(this.#key))
    if (draft === undefined || JSON.stringify(typed(draft.entries)) === textOf(form)) return
    const time = new Date(draft.at).toLocaleString(this.dataset['locale'], {
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    const note = document.createElement('div')
    note.className = 'note'
    const text = document.createElement('p')
    text.textContent = (this.dataset['offer'] ?? '').replace('{time}', time)
    const restore = this.#button('restore', () => {
      fill(form, draft.entries)
      note.remove()
      form.dispatchEvent(new Event('input', { bubbles: true }))
    })
    const discard = this.#button('discard', () => {
      localStorage.removeItem(this.#key)
      note.remove()
    })
    note.append(text, restore, discard)
    this.replaceChildren(note)
  }

  #button(name: 'restore' | 'discard', act: () => void): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = name === 'restore' ? 'small' : 'small second'
    button.textContent = this.dataset[name] ?? name
    button.addEventListener('click', act)
    return button
  }
}
customElements.define('form-draft', FormDraft)

/** Files and passwords are never stored. */
function entriesOf(form: HTMLFormElement): Entries {
  const secret = new Set([...form.querySelectorAll<HTMLInputElement>('input[type=password]')].map(({ name }) => name))
  return [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[0] !== '_csrf' && !secret.has(entry[0]),
  )
}

/** What people have typed, without what the form carries along. */
function typed(entries: Entries): Entries {
  return entries.filter(([name]) => !name.startsWith('_') && name !== 'scope')
}

function textOf(form: HTMLFormElement): string {
  return JSON.stringify(typed(entriesOf(form)))
}

function fill(form: HTMLFormElement, entries: Entries): void {
  // Inputs of one name stand in their order.
  const left = [...entries]
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
      field.checked = entries.some(([name, value]) => name === field.name && value === field.value)
    else if (
      field instanceof HTMLInputElement ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement
    ) {
      const at = left.findIndex(([name]) => name === field.name)
      const [entry] = at < 0 ? [] : left.splice(at, 1)
      if (entry !== undefined && !(field instanceof HTMLInputElement && field.type === 'file')) field.value = entry[1]
    }
  }
}

function draftIn(text: string | null): Draft | undefined {
  try {
    const draft = JSON.parse(text ?? '') as Partial<Draft>
    return typeof draft.at === 'number' && Array.isArray(draft.entries) ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

/** Forgets the draft that was sent last if it is the one that was saved. */
function dropSaved(name: string | undefined): void {
  const sent = sessionStorage.getItem(SENT)
  if (name === undefined || sent === null || !sent.startsWith(`${name} `)) return
  localStorage.removeItem(sent.slice(name.length + 1))
  sessionStorage.removeItem(SENT)
}

function dropOld(): void {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  for (const key of keys.filter((one) => one.startsWith(PREFIX))) {
    if ((draftIn(localStorage.getItem(key))?.at ?? 0) < Date.now() - LONGEST) localStorage.removeItem(key)
  }
}

/** A full storage is no reason to fail. */
function write(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value)
  } catch {
    // The form itself still has the input.
  }
}

export {}
