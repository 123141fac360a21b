import { errorText, Failure } from '../base/errors.ts'
import type { PageRequest } from './page-request.ts'

/** What the API refused, in the language of the reader. */
export interface Refusals {
  /** Sentences by the names of the fields beside which they stand. */
  readonly fields: Readonly<Record<string, string>>
  /** Message about the whole form. */
  readonly summary: string
}

/** What a failure says to the writer of a form. @throws the error where no writer can fix it */
export function refusalsOf({ t, incoming }: Pick<PageRequest, 't' | 'incoming'>, error: unknown): Refusals {
  if (!(error instanceof Failure) || error.status >= 500) throw error
  const { params } = error.data
  const summary = errorText(incoming.language, error.code, error.slots)
  if (Array.isArray(params)) {
    const fields = Object.fromEntries(params.map((name) => [String(name), t('common.required')]))
    return { fields, summary: t('admin.form.incomplete') }
  }
  if (typeof params !== 'object' || params === null) return { fields: {}, summary }
  // Messages name their field first; here they stand beside it.
  const fields = Object.entries(params).map(([name, text]) => [
    name,
    humanText(t, String(text).replace(`${name} `, '')),
  ])
  return { fields: Object.fromEntries(fields), summary: t('admin.form.incomplete') }
}

/** A reason of the API as people would say it. */
function humanText(t: PageRequest['t'], reason: string): string {
  if (reason === t('reasons.end_before_start')) return t('admin.form.endBeforeStart')
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** Whether a write was refused because the item has changed since its form was opened. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Failure && error.code === 'precondition_failed'
}

/** Whether an item that was to be removed is in the trash already, or no longer exists. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof Failure)) return false
  const { params } = error.data
  // Of categories and tags the API says that their ID names nothing.
  const isUnknown = typeof params === 'object' && params !== null && Object.hasOwn(params, 'id')
  return isUnknown || error.status === 404 || error.status === 410
}

/** Passes over refused values, in `catch`. @throws every error that is no refusal */
export function passOver(error: unknown): undefined {
  if (error instanceof Failure && error.status < 500) return undefined
  throw error
}

/** Answer to a form that asks for something its page does not do. */
export function unknownAction({ t }: Pick<PageRequest, 't'>): Refusals {
  return { fields: {}, summary: t('admin.form.incomplete') }
}
