import { storedJson } from '../../base/text/stored-json.ts'
import type { SiteReport } from '../../exchange/index.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'
import { linesKept } from '../imports/types.ts'
import type { PageRequest } from '../page-request.ts'
import { namedCell, rowsTable } from '../table.ts'

/** The stored report of an import of a site; of skipped items and of notes the first `LINES_TOLD` entries. */
export interface SiteOutcome extends Pick<SiteReport, 'complete' | 'counts' | 'skipped' | 'notes'> {
  readonly skippedInAll: number
  readonly notesInAll: number
  readonly pictures: number
}

/** The stored part of a report. */
export function siteOutcomeOf({ complete, counts, skipped, notes, pictures }: SiteReport): SiteOutcome {
  return {
    ...{ complete, counts, skipped: linesKept(skipped), notes: linesKept(notes) },
    ...{ skippedInAll: skipped.length, notesInAll: notes.length, pictures: pictures.fetched },
  }
}

/** The address of the site that was imported. */
export function siteOf({ about }: LongWorkEntry): string {
  return storedJson<{ readonly address: string }>(about).address
}

/** What an import of a site imported, by kind, and what it skipped. */
export function siteReport(request: PageRequest, outcome: SiteOutcome): Markup {
  const { t, say, incoming } = request
  const number = new Intl.NumberFormat(incoming.language)
  const names = {
    ...{
      category: t('fields.categories'),
      tag: t('fields.tags'),
      venue: t('admin.venues'),
      organizer: t('fields.organizers'),
    },
    event: t('common.events'),
  }
  const heads = [t('admin.what'), t('admin.new'), t('admin.changed'), t('admin.unchanged')]
  const rows = Object.entries(outcome.counts).map(([kind, { created, updated, unchanged }]) => {
    const cells = [created, updated, unchanged].map((count, index) =>
      namedCell(heads[index + 1] ?? '', number.format(count)),
    )
    return html`<tr><th scope="row">${names[kind as keyof typeof names]}</th>${cells}</tr>\n`
  })
  const note = outcome.complete ? '' : html`<p class="refused">${t('admin.work.importIncomplete')}</p>`
  const listed = (title: string, lines: SiteOutcome['skipped'], all: number): Markup | string => {
    if (lines.length === 0) return ''
    const shown = lines.map(({ what, why }) => html`<li>${what}: ${say(why)}</li>\n`)
    return html`<details><summary>${title} (${number.format(all)})</summary><ul lang="en" dir="ltr">${shown}</ul></details>`
  }
  const { skipped, skippedInAll, notes, notesInAll } = outcome
  const left = html`${listed(t('admin.skipped'), skipped, skippedInAll)}${listed(t('admin.notes'), notes, notesInAll)}`
  return html`${note}${rowsTable(heads, rows)}${left}`
}
