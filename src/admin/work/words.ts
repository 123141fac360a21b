import { ERRORS, fillSlots } from '../../errors.ts'
import type { LongWorkEntry, WorkProblem } from '../../long-work/index.ts'
import type { Asking } from '../asking.ts'

/** Why long work failed, in the language of the reader. */
export function problemText({ say }: Pick<Asking, 'say'>, problem: WorkProblem | undefined): string {
  const code = Object.keys(ERRORS).find((one): one is keyof typeof ERRORS => one === problem?.code)
  return fillSlots(say(ERRORS[code ?? 'internal_server_error'].text), problem?.slots ?? {})
}

/** How far work is, and how long it may take: `120 of 400 · About 2 minutes left`; '' while nothing can be said. */
export function progressText(asking: Asking, { done, total, startedAt }: LongWorkEntry): string {
  const { t, incoming } = asking
  if (done === 0 || total === 0) return ''
  const elapsed = (incoming.now - millisOf(startedAt)) / 1000
  const left = Math.max(1, Math.round((elapsed / done) * (total - done)))
  const number = new Intl.NumberFormat(incoming.language)
  const said = t('{done} of {total}', { done: number.format(done), total: number.format(total) })
  return `${said} · ${t('About {time} left', { time: secondsText(asking, left) })}`
}

function secondsText({ incoming }: Asking, seconds: number): string {
  const [unit, value] = seconds < 90 ? (['second', seconds] as const) : (['minute', Math.round(seconds / 60)] as const)
  return new Intl.NumberFormat(incoming.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

function millisOf(utc: string): number {
  return Date.parse(`${utc.replace(' ', 'T')}Z`)
}
