import { html, type Markup } from '../pages/html.ts'
import type { PageRequest } from './page-request.ts'

/** Script of the pages that follow work in the background. */
export const PROGRESS_SCRIPT = 'admin/progress.ts'

/** Work that continues whether anyone looks or not. */
interface WorkUnderWay {
  /** What is being done, how far it is. */
  readonly text: string
  /** Address of the page that says what came of it. */
  readonly report: string
}

/**
 * What is being done in the background, in a region that screen readers listen to. Scripts look again by themselves and go
 * on to the report; without them there is a link.
 */
export function progressNote({ t }: PageRequest, { text, report }: WorkUnderWay): Markup {
  return html`<work-progress class="note" role="status" data-report="${report}" data-done="${t('admin.work.finished')}">${text} <a href="${report}">${t('admin.refresh')}</a></work-progress>`
}
