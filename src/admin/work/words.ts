import { errorText, isErrorCode } from '../../base/errors.ts'
import { millisFromUtc } from '../../base/time/zones.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { LongWorkEntry, WorkProblem } from '../../storage/jobs/index.ts'
import type { PageRequest } from '../page-request.ts'

/** Why long work failed, in the language of the reader. */
export function whyFailed({ incoming }: Pick<PageRequest, 'incoming'>, problem: WorkProblem | undefined): string {
  const { code = '', slots } = problem ?? {}
  return errorText(incoming.language, isErrorCode(code) ? code : 'internal_server_error', slots)
}

/** How far work is, and how long it may take: `120 of 400 · About 2 minutes left`; '' while unknown. */
export function progressText(request: PageRequest, { done, total, startedAt }: LongWorkEntry): string {
  const { t, incoming } = request
  if (done === 0 || total === 0) return ''
  const elapsed = (incoming.now - millisFromUtc(startedAt)) / 1000
  const left = Math.max(1, Math.round((elapsed / done) * (total - done)))
  const number = new Intl.NumberFormat(incoming.language)
  const said = t('admin.work.doneOfTotal', { done: number.format(done), total: number.format(total) })
  return `${said} · ${t('admin.work.aboutTimeLeft', { time: secondsText(request, left) })}`
}

/** How long work took: `3 seconds`; a dash where nobody knows. */
export function lengthText(request: PageRequest, { startedAt, endedAt }: LongWorkEntry): string {
  if (endedAt === undefined) return '–'
  return secondsText(request, Math.max(1, Math.round((millisFromUtc(endedAt) - millisFromUtc(startedAt)) / 1000)))
}

/** How work stands, as a badge. */
export function workBadge({ t }: Pick<PageRequest, 't'>, { state }: Pick<LongWorkEntry, 'state'>): Markup {
  const texts = {
    running: ['pending', t('admin.work.running')],
    done: ['publish', t('admin.work.done')],
    stopped: ['draft', t('admin.work.stopped')],
    failed: ['trash', t('admin.failed')],
    lost: ['trash', t('admin.work.interrupted')],
  } as const
  const [look, text] = texts[state]
  return html`<span class="badge ${look}">${text}</span>`
}

function secondsText({ incoming }: PageRequest, seconds: number): string {
  const [unit, value] = seconds < 90 ? (['second', seconds] as const) : (['minute', Math.round(seconds / 60)] as const)
  return new Intl.NumberFormat(incoming.language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
