import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import type { AnyField } from '../model/kinds/field.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { flag } from './controls.ts'
import { labelOf } from './declared.ts'
import { draftName } from './draft.ts'
import { begunWith, type StoredItem, startInputs, startSent, valuesIn } from './form-start.ts'
import { type FormValues, inputsOf, isSame, type KnownNames } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import type { PageRequest } from './page-request.ts'
import { statusBadge } from './status.ts'
import { submittedText } from './submitted-text.ts'

/** A part of a form of which there may be two versions: a field, whatever inputs it has. */
interface FormPart {
  /** Unique in its form. */
  readonly name: string
  /** For people, in their language. */
  readonly label: string
  /** Names of its inputs, at least one. */
  readonly inputs: readonly string[]
  /** What the inputs say, as people read it; a dash for nothing. */
  said(values: FormValues): Markup | Promise<Markup>
}

/** Two versions of what a form shows: what someone wants to save, and what someone else has saved meanwhile. */
export interface Conflict {
  readonly parts: readonly FormPart[]
  /** What the form says that was sent. */
  readonly mine: FormValues
  /** What the form would show now. */
  readonly theirs: FormValues
  readonly stored: StoredItem
  readonly title: string
  /** Path of the list of such items. */
  readonly under: string
}

/** What a form says that is no field of its item: which dates of a series are meant, and what an image shows. */
const CARRIED = ['scope', 'alt_text', '_alt', '_alt_of']

/** Input of the fields that keep the version of the other. */
const THEIRS = '_theirs'

/** The fields of an item as parts of its form; `known` has the names of items that they refer to. */
export function fieldParts(request: PageRequest, fields: readonly AnyField[], known: KnownNames): FormPart[] {
  return fields.map((field) => ({
    ...{ name: field.name, inputs: inputsOf(field) },
    label: labelOf(request, field),
    said: (values) => submittedText(request, field, { values, known }),
  }))
}

/** What the form of an item says after a conflict: of each field the version that was chosen. */
export function mergedValues(fields: readonly AnyField[], body: RawInput, values: FormValues): FormValues {
  if (typeof body[THEIRS] !== 'string') return values
  const theirs = valuesIn(body[THEIRS])
  const chosen = fields.filter(({ name }) => body[`_keep_${name}`] === 'theirs').flatMap(inputsOf)
  return { ...values, ...Object.fromEntries(chosen.map((name) => [name, theirs[name] ?? ''])) }
}

/** Shows both versions of what differs, part by part; nothing is saved until one of each is chosen. */
export async function conflictPage(request: PageRequest, conflict: Conflict): Promise<PageResponse> {
  const { t, http, sent } = request
  const { parts, mine, theirs, stored, title, under } = conflict
  const rows = await Promise.all(parts.map((part) => rowOf(request, part, conflict)))
  const hidden = parts.flatMap(({ inputs }) => inputs).flatMap((name) => inputsWith(name, mine[name] ?? ''))
  const kept = CARRIED.flatMap((name) => (sent(name) === '' ? [] : inputsWith(name, sent(name))))
  const address = http.target.split('?', 1)[0] ?? ''
  const status = stored.item['status'] === undefined ? NOTHING : statusBadge(request, String(stored.item['status']))
  const body = html`<form method="post" action="${address}">${csrfField(request)}${draftName(request)}
<p>${t('admin.conflict.explanation')}</p>
${startInputs({ mark: stored.mark, base: begunWith(theirs, stored) })}<input type="hidden" name="${THEIRS}" value="${JSON.stringify(theirs)}">
${hidden}${kept}${rows}<div class="buttons publish"><button name="action" value="${sent('action')}">${t('admin.conflict.saveSelectedVersions')}</button><a class="button second" href="${address}">${t('admin.conflict.discardMyChanges')}</a></div></form>`
  return adminPage(request, {
    status: 409,
    title: t('admin.conflict.twoVersionsTitle', { title }),
    under,
    body,
    actions: status,
  })
}

function inputsWith(name: string, value: FormValues[string]): Markup[] {
  if (typeof value === 'string') return [html`<input type="hidden" name="${name}" value="${value}">`]
  return value.map((one) => html`<input type="hidden" name="${name}[]" value="${one}">`)
}

/** One part of which there are two versions; what only the other has changed is theirs by default. */
async function rowOf(request: PageRequest, part: FormPart, { mine, theirs }: Conflict): Promise<Markup> {
  const { t } = request
  const { base } = startSent(request)
  const { name: of, inputs, label } = part
  if (inputs.every((name) => isSame(mine[name], theirs[name]))) return NOTHING
  const isMine = inputs.some((name) => !isSame(mine[name], base[name]))
  const choice = async (whose: 'mine' | 'theirs', text: string): Promise<Markup> => {
    const id = `keep-${whose}-${of}`
    const said = await part.said(whose === 'mine' ? mine : theirs)
    return html`<div><div class="check"><input type="radio" id="${id}" name="_keep_${of}" value="${whose}"${flag('checked', (whose === 'mine') === isMine)}><label for="${id}">${text}</label></div><div class="said" dir="auto">${said}</div></div>`
  }
  return html`<fieldset class="box"><legend>${label}</legend><div class="versions">${await choice('mine', t('admin.conflict.yourVersion'))}${await choice('theirs', t('admin.conflict.savedVersion'))}</div></fieldset>\n`
}
