import type { PageResponse } from '../http/html-page.ts'
import { html, type Markup } from '../pages/html.ts'
import { conflictPage, type FormPart, mergedParts } from './conflict.ts'
import { startInputs, startSent } from './form-start.ts'
import { type FormValues, isSame } from './form-values.ts'
import type { PageRequest } from './page-request.ts'
import { isOutdated } from './refusals.ts'

/** A form of something other than an item: settings, a source, a webhook, an account. */
export interface PlainForm {
  readonly parts: readonly FormPart[]
  /** What it would show now. */
  readonly now: FormValues
  /** Mark of the stored version; '' where a write compares the values themselves. */
  readonly mark: string
  readonly title: string
  /** Path in the navigation. */
  readonly under: string
}

/** What a form that was sent is about. */
export interface SentForm {
  /** Its values; after a conflict those chosen from each version. */
  readonly values: FormValues
  /** Only changed values. */
  readonly changed: FormValues
  /** The version that it changes: its mark, and what stood in it. */
  readonly from: { readonly mark: string; readonly values: FormValues }
}

/** A part with one input of the same name; `text` says a value in words. */
export function linePart(name: string, label: string, text: (value: string) => string = String): FormPart {
  return {
    ...{ name, label, inputs: [name] },
    said: (values) => {
      const value = values[name] ?? ''
      const texts = (typeof value === 'string' ? [value] : value).map(text).filter((one) => one !== '')
      return html`<p>${texts.join(', ') || '–'}</p>`
    },
  }
}

/** The inputs that say where a form started; one that was sent and is not saved started where it did. */
export function plainStart(
  request: PageRequest,
  { now, mark }: Pick<PlainForm, 'now' | 'mark'>,
  isUnsaved: boolean,
): Markup {
  return startInputs(isUnsaved ? startSent(request) : { mark, base: now })
}

/** What a form that was sent says, and which version it changes: the present one where nothing differs that it showed. */
export function sentPlain(request: PageRequest, { parts, now, mark }: PlainForm, sent: FormValues): SentForm {
  const values = mergedParts(parts, request.incoming.body, sent)
  // What is no form of these pages names no version, as a request without If-Match does.
  const isForm = request.incoming.body['_base'] !== undefined
  const start = isForm ? startSent(request) : { mark, base: now }
  const inputs = parts.flatMap((part) => part.inputs)
  const isAsShown = inputs.every((name) => isSame(now[name], start.base[name]))
  const changed = inputs.filter((name) => !isSame(values[name], start.base[name]))
  return {
    values,
    changed: Object.fromEntries(changed.map((name) => [name, values[name] ?? ''])),
    from: isAsShown ? { mark, values: now } : { mark: start.mark, values: start.base },
  }
}

/** Saves a form; where someone else has saved it meanwhile, both versions are shown. @throws every other refusal */
export async function savePlain(
  request: PageRequest,
  form: PlainForm & Pick<SentForm, 'values'>,
  write: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await write()
  } catch (error) {
    if (!isOutdated(error)) throw error
    const { parts, now, mark, values, title, under } = form
    return conflictPage(request, { parts, mine: values, theirs: now, stored: { item: {}, mark }, title, under })
  }
}
