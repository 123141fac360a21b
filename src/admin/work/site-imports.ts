import { storedJson } from '../../base/text/stored-json.ts'
import type { SiteReport } from '../../exchange/index.ts'
import { html, type Markup } from '../../pages/html.ts'
import type { LongWorkEntry } from '../../storage/jobs/index.ts'
import { linesKept } from '../imports/types.ts'
import type { PageRequest } from '../page-request.ts'

/** The stored report of an import of a site; of skipped items the first `LINES_TOLD` entries. */
export interface SiteOutcome extends Pick<SiteReport, 'complete' | 'counts' | 'skipped'> {
  readonly skippedInAll: number
  readonly pictures: number
}

/** The stored part of a report. */
export function siteOutcomeOf({ complete, counts, skipped, pictures }: SiteReport): SiteOutcome {
  return { complete, counts, skipped: linesKept(skipped), skippedInAll: skipped.length, pictures: pictures.fetched }
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
    const cells = [created, updated, unchanged].map(
      (count, index) =>
        html`<td><span class="narrow-only">${heads[index + 1] ?? ''}: </span>${number.format(count)}</td>`,
    )
    return html`<tr><th scope="row">${names[kind as keyof typeof names]}</th>${cells}</tr>\n`
  })
  const note = outcome.complete ? '' : html`<p class="refused">${t('admin.work.importIncomplete')}</p>`
  const lines = outcome.skipped.map(({ what, why }) => html`<li>${what}: ${say(why)}</li>\n`)
  const left =
    lines.length === 0
      ? ''
      : html`<details><summary>${t('admin.skipped')} (${number.format(outcome.skippedInAll)})</summary><ul lang="en" dir="ltr">${lines}</ul></details>`
  return html`${note}<div class="wide"><table class="rows"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>${left}`
}
