import { ERRORS, fillSlots } from '../../errors.ts'
import type { Asking } from '../asking.ts'
import type { FileImport } from './types.ts'

/** Why something was left out, in the language of the reader as far as it is known there. */
export function reasonText({ t, say }: Asking, why: string): string {
  const [, zone] = /^names the unknown time zone (.+)$/.exec(why) ?? []
  return zone === undefined ? say(why) : t('names the unknown time zone {zone}', { zone })
}

/**
 * The line of a file in the name of what was left out, `june.csv: line 7`, with the file where that is one of an
 * archive; the name itself where it has none.
 */
export function lineOf(what: string, archive: string): string {
  const [, file = '', line] = /^(.*): line (\d+)$/.exec(what) ?? []
  if (line === undefined) return what
  return file.startsWith(`${archive}: `) ? `${file.slice(archive.length + 2)}: ${line}` : line
}

/** Why an import failed, in the language of the reader. */
export function failureText({ t, say }: Asking, { problem }: FileImport): string {
  const { file = '', reason = '' } = problem?.slots ?? {}
  if (problem?.code === 'calendar_not_readable')
    return t('{file} cannot be read: {reason}', { file, reason: say(String(reason)) })
  const code = Object.keys(ERRORS).find((one): one is keyof typeof ERRORS => one === problem?.code)
  return fillSlots(say(ERRORS[code ?? 'internal_server_error'].text), problem?.slots ?? {})
}

/** How far an import is, and how long it may take: `120 of 400. About 2 minutes left`; '' while nothing can be said. */
export function progressText(asking: Asking, { done, total, started_at: started }: FileImport): string {
  const { t, incoming } = asking
  if (done === 0 || total === 0) return ''
  const elapsed = (incoming.now - Date.parse(`${started.replace(' ', 'T')}Z`)) / 1000
  const left = Math.max(1, Math.round((elapsed / done) * (total - done)))
  const [unit, value] = left < 90 ? (['second', left] as const) : (['minute', Math.round(left / 60)] as const)
  const time = new Intl.NumberFormat(incoming.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
  const number = new Intl.NumberFormat(incoming.language)
  const said = t('{done} of {total}', { done: number.format(done), total: number.format(total) })
  return `${said} · ${t('About {time} left', { time })}`
}
