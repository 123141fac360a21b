import type { AnyField } from '../fields/field.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import type { Asking } from './asking.ts'
import { flag } from './controls.ts'
import { isDeclared } from './declared.ts'
import { type FormValues, inputsOf, isSame, textIn } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import { REPEAT_INPUTS, repeatIn, repeatLines } from './repeat/values.ts'
import { TICKET_INPUTS, ticketsIn } from './tickets.ts'

/** Two versions of an item: what somebody wants to save, and what somebody else has saved meanwhile. */
export interface Conflict {
  readonly fields: readonly AnyField[]
  readonly mine: FormValues
  readonly theirs: FormValues
  /** What both began with. */
  readonly base: FormValues
  /** Mark of the version of theirs. */
  readonly mark: string
  /** The button that was pressed. */
  readonly action: string
  readonly title: string
}

/** Input of the fields that keep the version of the other. */
const THEIRS = '_theirs'

/** What a form says after a conflict: of each field the version that was chosen. */
export function mergedValues(body: RawInput, values: FormValues): FormValues {
  const theirs = typeof body[THEIRS] === 'string' ? (JSON.parse(body[THEIRS]) as FormValues) : {}
  const chosen = Object.entries(theirs).filter(([name]) => body[`_keep_${choiceOf(name)}`] === 'theirs')
  return { ...values, ...Object.fromEntries(chosen) }
}

/** The inputs of a rule, or of tickets, mean nothing apart: one choice is made for all of them. */
function choiceOf(name: string): string {
  if (TICKET_INPUTS.some((one) => one === name)) return 'ticket_name'
  return REPEAT_INPUTS.some((one) => one === name) ? 'repeat' : name
}

/** Shows both versions of what differs, field by field; nothing is saved until one of each is chosen. */
export function conflictPage(asking: Asking, conflict: Conflict): PageResponse {
  const { t, request } = asking
  const { fields, mine, theirs, mark, action, title } = conflict
  const names = fields.flatMap(inputsOf)
  const rows = fields.flatMap((field) =>
    inputsOf(field)
      .filter((name) => choiceOf(name) === name)
      .map((name) => rowOf(asking, { field, name }, conflict)),
  )
  const hidden = names.flatMap((name) => {
    const value = mine[name] ?? ''
    if (typeof value === 'string') return [html`<input type="hidden" name="${name}" value="${value}">`]
    return value.map((one) => html`<input type="hidden" name="${name}[]" value="${one}">`)
  })
  const body = html`<form method="post" action="${request.target.split('?', 1)[0] ?? ''}">${csrfField(asking)}
<p>${t('Somebody else has saved this while you were writing. Choose which version of each field stays; nothing is saved before.')}</p>
<input type="hidden" name="_mark" value="${mark}"><input type="hidden" name="_base" value="${JSON.stringify(theirs)}"><input type="hidden" name="${THEIRS}" value="${JSON.stringify(theirs)}">
${hidden}${rows}<div class="buttons publish"><button name="action" value="${action}">${t('Save this choice')}</button><a class="button second" href="${request.target}">${t('Give up my changes')}</a></div></form>`
  return adminPage(asking, {
    status: 409,
    title: t('Two versions of {title}', { title }),
    under: '/admin/events',
    body,
  })
}

/** One input of which there are two versions; what only the other has changed is theirs unless told. */
function rowOf(
  { t, say }: Asking,
  { field, name }: { readonly field: AnyField; readonly name: string },
  { mine, theirs, base }: Conflict,
): Markup {
  const [own, other, before] = [mine, theirs, base].map((values) => saidBy(values, name))
  if (isSame(own, other)) return NOTHING
  const isMine = !isSame(own, before)
  const choice = (whose: 'mine' | 'theirs', label: string, value: FormValues[string] | undefined): Markup => {
    const id = `keep-${whose}-${name}`
    return html`<div><div class="check"><input type="radio" id="${id}" name="_keep_${name}" value="${whose}"${flag('checked', (whose === 'mine') === isMine)}><label for="${id}">${label}</label></div><p dir="auto">${[value ?? ''].flat().join(', ') || '–'}</p></div>`
  }
  const time = name.endsWith('_time') ? ` (${t('time')})` : ''
  return html`<fieldset class="box"><legend>${isDeclared(field) ? field.description : say(field.label ?? field.description)}${time}</legend><div class="versions">${choice('mine', t('Your version'), own)}${choice('theirs', t('The version that is saved'), other)}</div></fieldset>\n`
}

/** What an input says, the inputs of a rule together. */
function saidBy(values: FormValues, name: string): FormValues[string] | undefined {
  if (name === 'ticket_name') return ticketsIn(values).map((ticket) => Object.values(ticket).join(' '))
  return name === 'repeat' ? repeatLines(repeatIn(values), textIn(values, 'start_date')) : values[name]
}
