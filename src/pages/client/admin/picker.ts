// Existing items are offered while a name is typed and picked by ID: two halls may have one name.
import '@github/auto-complete-element'
import type { AutoCompleteElement } from '@github/auto-complete-element'

for (const picker of document.querySelectorAll<AutoCompleteElement>('auto-complete')) follow(picker)

function follow(picker: AutoCompleteElement): void {
  const { inputElement: input, forElement: list } = picker
  if (input === null || list === null) return
  // The list of the browser is for pages without scripts.
  input.removeAttribute('list')
  const ids = inputOf(picker, picker.dataset['id'])
  input.addEventListener('input', () => {
    warningOf(picker)?.remove()
    if (ids !== undefined) ids.value = ''
    // Names are looked up once someone types, until the field is left.
    picker.src = picker.dataset['src'] ?? ''
  })
  // Who types fast is gone before names are offered.
  input.addEventListener('change', () => void lookFor(picker, input))
  input.addEventListener('blur', () => {
    picker.removeAttribute('src')
    picker.open = false
  })
  // The field keeps the focus until what is pressed is picked.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  picker.addEventListener('combobox-commit', ({ target }) => {
    if (target instanceof HTMLElement) pick(picker, input, target)
  })
  picker.addEventListener('load', () => {
    say(picker, list.children.length)
    warn(picker, input, list.querySelector<HTMLElement>('[data-alike]'))
  })
}

function warningOf(picker: HTMLElement): Element | null {
  return picker.parentElement?.querySelector('.alike') ?? null
}

/** Asks for what looks like the name that a field was left with. */
async function lookFor(picker: AutoCompleteElement, input: HTMLInputElement): Promise<void> {
  const { value } = input
  const address = `${picker.dataset['src'] ?? ''}?q=${encodeURIComponent(value)}`
  const text = await fetch(address).then(
    (response) => (response.ok ? response.text() : ''),
    () => '',
  )
  const found = new DOMParser().parseFromString(text, 'text/html').querySelector<HTMLElement>('[data-alike]')
  if (input.value === value) warn(picker, input, found)
}

/** Says beside the field that something has nearly the name that is typed, with a button that takes it. */
function warn(picker: AutoCompleteElement, input: HTMLInputElement, option: HTMLElement | null): void {
  warningOf(picker)?.remove()
  if (option === null) return
  const name = option.querySelector('bdi')?.textContent ?? ''
  const [note, text, button] = [
    document.createElement('div'),
    document.createElement('p'),
    document.createElement('button'),
  ]
  const said = (template = ''): string => template.replace('{name}', name)
  note.className = 'note alike'
  text.textContent = said(picker.dataset['alike'])
  button.type = 'button'
  button.className = 'second small'
  button.textContent = said(picker.dataset['use'])
  button.addEventListener('click', () => {
    input.value = option.dataset['autocompleteValue'] ?? name
    pick(picker, input, option)
    note.remove()
    input.focus()
  })
  note.append(text, button)
  picker.after(note)
}

function pick(picker: AutoCompleteElement, input: HTMLInputElement, option: HTMLElement): void {
  const { id, before = '' } = option.dataset
  const form = picker.closest('form')
  const ids = inputOf(picker, picker.dataset['id'])
  const boxes = picker.dataset['boxes']
  if (id === undefined) open(form?.querySelector('details.new-venue'), ids !== undefined)
  else if (ids !== undefined) ids.value = id
  else if (boxes !== undefined) {
    tick(picker, { boxes, id, name: option.querySelector('bdi')?.textContent ?? '' })
    input.value = before
  }
  say(picker, 0)
  // Drafts include picked items, too.
  form?.dispatchEvent(new Event('input'))
}

function open(details: Element | null | undefined, isVenue: boolean): void {
  if (isVenue && details instanceof HTMLDetailsElement) details.open = true
}

function inputOf(picker: HTMLElement, name: string | undefined): HTMLInputElement | undefined {
  const found = name === undefined ? null : picker.closest('form')?.elements.namedItem(name)
  return found instanceof HTMLInputElement ? found : undefined
}

interface Ticked {
  /** Name of the boxes. */
  readonly boxes: string
  readonly id: string
  readonly name: string
}

/** Ticks the box of a picked item, and adds one that is not listed. */
function tick(picker: HTMLElement, { boxes, id, name }: Ticked): void {
  const form = picker.closest('form')
  const all = [...(form?.querySelectorAll<HTMLInputElement>('input[type="checkbox"]') ?? [])]
  const box = all.find((one) => one.name === boxes && one.value === id)
  if (box !== undefined) {
    box.checked = true
    open(box.closest('details'), true)
    return
  }
  const [row, own, label] = [
    document.createElement('div'),
    document.createElement('input'),
    document.createElement('label'),
  ]
  row.className = 'check'
  Object.assign(own, { type: 'checkbox', name: boxes, value: id, checked: true, id: `${picker.id}-${id}` })
  Object.assign(label, { htmlFor: own.id, textContent: name, dir: 'auto' })
  row.append(own, label)
  picker.after(row)
}

/** How many there are to choose from, for those who do not see them; nothing for none. */
function say(picker: HTMLElement, count: number): void {
  const told = picker.querySelector('[role="status"]')
  if (told === null) return
  const forms = JSON.parse(picker.dataset['said'] ?? '{}') as Readonly<Record<string, string>>
  const form = forms[new Intl.PluralRules(document.documentElement.lang).select(count)] ?? forms['other'] ?? ''
  told.textContent = count === 0 ? '' : form.replace('{count}', String(count))
}
