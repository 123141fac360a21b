import type { RawInput } from '../../http/request/body.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import { objectsIn } from '../form-values.ts'
import type { PageRequest } from '../page-request.ts'
import { rowsTable } from '../table.ts'
import { API_PATH, momentOf, problemText } from './words.ts'

/** The counts of a sync, in the order of the columns. */
const COUNTS = ['created', 'updated', 'unchanged', 'trashed', 'skipped', 'notes'] as const

/** The syncs of a subscription, and what the last one that imported something skipped or left alone; nothing before the first. */
export async function syncHistory(request: PageRequest, subscription: RawInput): Promise<Markup> {
  const { t, deps, incoming } = request
  const reply = await deps.api(incoming, { path: `${API_PATH}/${String(subscription['id'])}/visits` })
  const visits = objectsIn((reply.body as RawInput)['visits'])
  if (visits.length === 0) return NOTHING
  const head = [t('admin.when'), t('admin.result'), ...countHeads(request)]
  const rows = visits.map((visit) => rowOf(request, visit))
  return html`<section class="box"><h2>${t('admin.subscriptions.syncHistory')}</h2>${rowsTable(head, rows)}${details(request, subscription)}</section>`
}

function countHeads({ t }: PageRequest): readonly string[] {
  return [
    t('admin.new'),
    t('admin.changed'),
    t('admin.unchanged'),
    t('admin.subscriptions.movedToTrash'),
    t('admin.skipped'),
    t('admin.notes'),
  ]
}

function rowOf(request: PageRequest, visit: RawInput): Markup {
  const { t } = request
  const { first_at: first, last_at: last, times, outcome, problem } = visit
  const when =
    times === 1 ? momentOf(request, last) : `${momentOf(request, first)} – ${momentOf(request, last)} (${times}×)`
  const texts: Readonly<Record<string, string>> = { changed: t('admin.synced'), unchanged: t('admin.noChanges') }
  const what = texts[String(outcome)] ?? problemText(request, problem)
  const isTold = outcome === 'changed'
  const heads = countHeads(request)
  const cells = COUNTS.map((name, index) =>
    isTold
      ? html`<td><span class="narrow-only">${heads[index] ?? ''}: </span>${String(visit[name])}</td>`
      : html`<td></td>`,
  )
  return html`<tr><th scope="row" class="wrap">${when}</th><td>${what}</td>${cells}</tr>\n`
}

/** What people may want to look at in the last file. */
function details({ t, say }: PageRequest, { report }: RawInput): Markup {
  if (typeof report !== 'object' || report === null) return NOTHING
  const { skipped, notes } = report as RawInput
  const listed = (title: string, entries: readonly RawInput[]): Markup =>
    entries.length === 0
      ? NOTHING
      : html`<details><summary>${title} (${entries.length})</summary><ul lang="en" dir="ltr">${entries.map(({ what, why }) => html`<li>${String(what)}: ${say(String(why))}</li>\n`)}</ul></details>`
  return html`${listed(t('admin.skipped'), objectsIn(skipped))}${listed(t('admin.notes'), objectsIn(notes))}`
}
