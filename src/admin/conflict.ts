import type { AnyField } from '../fields/field.ts'
import type { PageResponse } from '../http/page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import type { Asking } from './asking.ts'
import { flag } from './controls.ts'
import { isDeclared } from './declared.ts'
import { draftName } from './draft.ts'
import { begunWith, type StoredItem, startInputs, startSent, valuesIn } from './form-start.ts'
import { type FormValues, inputsOf, isSame, type KnownNames, shownValues } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import { saidIn } from './said.ts'
import { statusBadge } from './status.ts'

/** Two versions of an item: what somebody wants to save, and what somebody else has saved meanwhile. */
export interface Conflict {
  readonly fields: readonly AnyField[]
  /** What the form says that was sent. */
  readonly mine: FormValues
  readonly stored: StoredItem
  /** Names of items that the fields refer to. */
  readonly known: KnownNames
  readonly title: string
  /** Path of the list of such items. */
  readonly under: string
}

/** Input of the fields that keep the version of the other. */
const THEIRS = '_theirs'

/** What a form says after a conflict: of each field the version that was chosen. */
export function mergedValues(fields: readonly AnyField[], body: RawInput, values: FormValues): FormValues {
  if (typeof body[THEIRS] !== 'string') return values
  const theirs = valuesIn(body[THEIRS])
  const chosen = fields.filter(({ name }) => body[`_keep_${name}`] === 'theirs').flatMap(inputsOf)
  return { ...values, ...Object.fromEntries(chosen.map((name) => [name, theirs[name] ?? ''])) }
}

/** Shows both versions of what differs, field by field; nothing is saved until one of each is chosen. */
export async function conflictPage(asking: Asking, conflict: Conflict): Promise<PageResponse> {
  const { t, request, sent } = asking
  const { fields, mine, stored, title, under } = conflict
  const theirs = shownValues(fields, stored.item)
  const rows = await Promise.all(fields.map((field) => rowOf(asking, field, conflict)))
  const hidden = fields.flatMap(inputsOf).flatMap((name) => inputsWith(name, mine[name] ?? ''))
  const scope = sent('scope') === '' ? NOTHING : inputsWith('scope', sent('scope'))
  const address = request.target.split('?', 1)[0] ?? ''
  const status = stored.item['status'] === undefined ? NOTHING : statusBadge(asking, String(stored.item['status']))
  const body = html`<form method="post" action="${address}">${csrfField(asking)}${draftName(asking)}
<p>${t('Somebody else has saved this while you were writing. Choose which version of each field stays; nothing is saved before.')}</p>
${startInputs({ mark: stored.mark, base: begunWith(theirs, stored) })}<input type="hidden" name="${THEIRS}" value="${JSON.stringify(theirs)}">
${hidden}${scope}${rows}<div class="buttons publish"><button name="action" value="${sent('action')}">${t('Save this choice')}</button><a class="button second" href="${address}">${t('Give up my changes')}</a></div></form>`
  return adminPage(asking, {
    status: 409,
    title: t('Two versions of {title}', { title }),
    under,
    body,
    actions: status,
  })
}

function inputsWith(name: string, value: FormValues[string]): Markup[] {
  if (typeof value === 'string') return [html`<input type="hidden" name="${name}" value="${value}">`]
  return value.map((one) => html`<input type="hidden" name="${name}[]" value="${one}">`)
}

/** One field of which there are two versions; what only the other has changed is theirs unless told. */
async function rowOf(asking: Asking, field: AnyField, { fields, mine, stored, known }: Conflict): Promise<Markup> {
  const { t, say } = asking
  const { base } = startSent(asking)
  const theirs = shownValues(fields, stored.item)
  const inputs = inputsOf(field)
  if (inputs.every((name) => isSame(mine[name], theirs[name]))) return NOTHING
  const isMine = inputs.some((name) => !isSame(mine[name], base[name]))
  const choice = async (whose: 'mine' | 'theirs', label: string): Promise<Markup> => {
    const id = `keep-${whose}-${field.name}`
    const said = await saidIn(asking, field, { values: whose === 'mine' ? mine : theirs, known })
    return html`<div><div class="check"><input type="radio" id="${id}" name="_keep_${field.name}" value="${whose}"${flag('checked', (whose === 'mine') === isMine)}><label for="${id}">${label}</label></div><div class="said" dir="auto">${said}</div></div>`
  }
  const name = isDeclared(field) ? field.description : say(field.label ?? field.description)
  return html`<fieldset class="box"><legend>${name}</legend><div class="versions">${await choice('mine', t('Your version'))}${await choice('theirs', t('The version that is saved'))}</div></fieldset>\n`
}
