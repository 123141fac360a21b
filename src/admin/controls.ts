import { html, type Markup, NOTHING } from '../pages/html.ts'

/** What every control has: a name in the form, a label, its value, and what was wrong with it. */
export interface ControlParts {
  readonly name: string
  readonly label: string
  readonly value?: string
  /** Stands below the control. */
  readonly hint?: string | undefined
  /** Why the value was refused; absent when it was not. */
  readonly wrong?: string | undefined
  /** Where names are suggested from while people type; absent for none. */
  readonly picker?: Picker | undefined
}

/** A line whose names are offered by scripts, see `picker.ts` of the client. */
export interface Picker {
  /** Address of the options. */
  readonly src: string
  /** Name of the hidden input that holds the ID of the picked item; absent where boxes are ticked. */
  readonly id?: string
  /** Name of the boxes of which that one is ticked. */
  readonly boxes?: string
  /** Names the list. */
  readonly label: string
  /** Says how many there are: `{count}`. */
  readonly said: string
  /** Says that something has nearly this name, and uses it: `{name}`. */
  readonly alike: string
  readonly use: string
}

/** How a control of one line differs from plain text. */
export interface LineOptions {
  readonly type?: string
  readonly autocomplete?: string
  readonly required?: boolean
  readonly list?: string
  readonly inputmode?: string
  readonly accept?: string
  readonly min?: string
  readonly maxlength?: string
  readonly 'data-most'?: string
  readonly 'data-too-large'?: string
}

/** A control of one line. */
export function lineControl(parts: ControlParts, options: LineOptions = {}): Markup {
  return control(parts, picking(parts, lineInput(parts, options)))
}

/** A day and the time of that day beside it. */
export function momentControl(
  parts: ControlParts,
  time: Pick<ControlParts, 'name' | 'label' | 'value'>,
  options: Pick<LineOptions, 'required'> = {},
): Markup {
  const id = idOf(time)
  const clock = lineInput({ ...time, wrong: parts.wrong }, { type: 'time' }, parts)
  const day = lineInput(parts, { ...options, type: 'date' })
  return control(
    parts,
    html`<div class="moment">${day}<label class="unseen" for="${id}">${time.label}</label>${clock}</div>`,
  )
}

/** The input of one line; it is described by what stands at another control where that is given. */
function lineInput(parts: ControlParts, options: LineOptions, by = parts): Markup {
  const { type = 'text', required, ...others } = options
  // Words and addresses go from where they start, whatever the direction of the page.
  const direction = type === 'text' || type === 'url' || type === 'email' ? html` dir="auto"` : NOTHING
  const attributes = Object.entries(others).map(([name, value]) => html` ${name}="${String(value)}"`)
  return html`<input id="${idOf(parts)}" name="${parts.name}" type="${type}" value="${type === 'password' ? '' : (parts.value ?? '')}"${attributes}${direction}${flag('required', required)}${described(by)}>`
}

/** A line with the list of suggestions; without scripts it is the line alone. */
function picking({ picker, name }: ControlParts, input: Markup): Markup {
  if (picker === undefined) return input
  const { src, id, boxes, label, said, alike, use } = picker
  const held = id === undefined ? NOTHING : html` data-id="${id}"`
  const ticked = boxes === undefined ? NOTHING : html` data-boxes="${boxes}"`
  return html`<auto-complete id="pick-${name}" data-src="${src}" data-said="${said}" data-alike="${alike}" data-use="${use}"${held}${ticked} for="options-${name}">${input}<ul id="options-${name}" class="options" aria-label="${label}" hidden></ul><span class="unseen" role="status"></span></auto-complete>`
}

/** A control of several lines. */
export function textControl(parts: ControlParts, { maxlength }: Pick<LineOptions, 'maxlength'> = {}): Markup {
  const most = maxlength === undefined ? NOTHING : html` maxlength="${maxlength}"`
  const area = html`<textarea id="${idOf(parts)}" name="${parts.name}" dir="auto"${most}${described(parts)}>\n${parts.value ?? ''}</textarea>`
  return control(parts, area)
}

/** Something to choose: its value in the form and its text. */
export type Offer = readonly [value: string, text: string]

/** A control to choose one of several. */
export function selectControl(parts: ControlParts, options: readonly Offer[]): Markup {
  const listed = options.map(
    ([value, text]) =>
      html`<option value="${value}"${flag('selected', value === (parts.value ?? ''))}>${text}</option>\n`,
  )
  return control(parts, html`<select id="${idOf(parts)}" name="${parts.name}"${described(parts)}>\n${listed}</select>`)
}

/** A control to choose one of several colors, each shown by its class; '' for none. */
export function colorsControl(parts: ControlParts, options: readonly (readonly [...Offer, look: string])[]): Markup {
  const id = idOf(parts)
  const listed = options.map(
    ([value, text, look]) =>
      html`<label class="${look}"><input type="radio" name="${parts.name}" value="${value}"${flag('checked', value === (parts.value ?? ''))}>${text}</label>\n`,
  )
  return html`<div class="${classOf(parts)}"><span class="label" id="${id}-label">${parts.label}</span>${wrongLine(parts)}<div class="colors" id="${id}" role="radiogroup" aria-labelledby="${id}-label"${described(parts)}>\n${listed}</div></div>\n`
}

/** A box to tick; an empty field of the same name says that it was not. */
export function checkControl(parts: ControlParts & { readonly isChecked: boolean }): Markup {
  const id = idOf(parts)
  const box = html`<input id="${id}" type="checkbox" name="${parts.name}" value="true"${flag('checked', parts.isChecked)}${described(parts)}>`
  return html`<div class="${classOf(parts)}">${wrongLine(parts)}<div class="check">${box}<label for="${id}">${parts.label}</label></div>${hintLine(parts)}</div>\n`
}

/** Boxes to tick, of which any may be ticked. */
export function choicesControl(parts: ControlParts, options: readonly Offer[], chosen: ReadonlySet<string>): Markup {
  if (options.length === 0) return NOTHING
  const boxes = options.map(([value, text], index) => {
    const id = `${idOf(parts)}-${index}`
    return html`<div class="check"><input id="${id}" type="checkbox" name="${parts.name}[]" value="${value}"${flag('checked', chosen.has(value))}><label for="${id}">${text}</label></div>\n`
  })
  return html`<div class="choices" role="group" aria-label="${parts.label}">\n${boxes}</div>\n`
}

/** An attribute that is present or absent. */
export function flag(name: string, isSet: boolean | undefined): Markup {
  return isSet === true ? html` ${name}` : NOTHING
}

/** A control with its label, what was wrong, and its hint. */
function control(parts: ControlParts, markup: Markup): Markup {
  return html`<div class="${classOf(parts)}"><label for="${idOf(parts)}">${parts.label}</label>${wrongLine(parts)}${markup}${hintLine(parts)}</div>\n`
}

function classOf({ wrong }: ControlParts): string {
  return wrong === undefined ? 'field' : 'field refusal'
}

function hintLine(parts: ControlParts): Markup {
  return parts.hint === undefined ? NOTHING : html`<p class="hint" id="${idOf(parts)}-hint">${parts.hint}</p>`
}

function wrongLine(parts: ControlParts): Markup {
  return parts.wrong === undefined ? NOTHING : html`<p class="wrong" id="${idOf(parts)}-wrong">${parts.wrong}</p>`
}

function described(parts: ControlParts): Markup {
  const id = idOf(parts)
  const ids = [parts.hint === undefined ? '' : `${id}-hint`, parts.wrong === undefined ? '' : `${id}-wrong`]
  const names = ids.filter((one) => one !== '').join(' ')
  const text = names === '' ? NOTHING : html` aria-describedby="${names}"`
  return parts.wrong === undefined ? text : html`${text} aria-invalid="true"`
}

function idOf({ name }: ControlParts): string {
  return `f-${name.replace(/\W+/g, '-')}`
}
