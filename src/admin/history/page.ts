import { listUsers } from '../../accounts/users/index.ts'
import { Failure } from '../../base/errors.ts'
import { decodeEntities } from '../../base/text/entities.ts'
import type { PageResponse } from '../../http/html-page.ts'
import type { RawInput } from '../../http/request/body.ts'
import type { AnyField } from '../../model/kinds/field.ts'
import { html, type Markup, NOTHING } from '../../pages/html.ts'
import type { JournalAction, JournalEntry } from '../../storage/journal/entry.ts'
import { historyOf } from '../../storage/journal/read.ts'
import { isDeclared } from '../declared.ts'
import { KINDS } from '../item-kinds.ts'
import { adminPage, csrfField } from '../layout.ts'
import { momentText } from '../moments.ts'
import { type AdminPage, type PageRequest, redirect } from '../page-request.ts'
import { refusalsOf } from '../refusals.ts'
import { seriesOf } from '../series.ts'
import { changedFields, inShort, pastValue } from './fields.ts'
import { fieldsOf, itemOf, KEPT_EVENTS, type KeptKind, saveState } from './restore.ts'

/** Stands for the calendar itself among those who change things; 0 is nobody who is known. */
const CALENDAR = -1

/** Changes of a page. */
const SHOWN = 20

/** The history of each item: who changed what and when, and a button to restore an earlier state. */
export const HISTORY_PAGES: readonly AdminPage[] = [KEPT_EVENTS, ...KINDS].map((kind) => ({
  path: `/admin/${kind.collection}/:id/history`,
  role: kind.role,
  show: (request) => page(request, kind),
  submit: (request) => restore(request, kind),
}))

async function page(request: PageRequest, kind: KeptKind, refused?: string): Promise<PageResponse> {
  const { t, deps, incoming, query } = request
  const id = Number(incoming.path['id'])
  const { item } = await itemOf(request, kind, id)
  const before = /^\d{1,9}$/.test(query('before')) ? Number(query('before')) : undefined
  const entries = await historyOf(deps.storage, { resource: kind.resource, id, before, limit: SHOWN + 1 })
  const users = (await listUsers(deps)).map((user) => [user.id, user.displayName] as const)
  const people = new Map([[CALENDAR, t('admin.history.kalends')], [0, t('admin.history.aVisitor')], ...users])
  const fields = await fieldsOf(request, kind, entries)
  const rows = entries.slice(0, SHOWN).map((entry, index) => {
    const who = people.get(entry.actor ?? CALENDAR) ?? `#${entry.actor}`
    return entryOf(request, fields, {
      entry,
      before: entries[index + 1],
      who,
      isNow: before === undefined && index === 0,
    })
  })
  const path = `/admin/${kind.collection}/${id}`
  const last = entries[SHOWN - 1]
  const older = entries.length > SHOWN && last !== undefined
  const more = older
    ? html`<div class="pager"><a href="${path}/history?before=${last.revision}">${t('admin.history.olderChanges')}</a></div>`
    : NOTHING
  const series = seriesOf(item)
  const rule =
    series === undefined || series.isFirst
      ? NOTHING
      : html`<p><a href="/admin/events/${series.id}/history">${t('admin.history.historySeries')}</a></p>`
  const none = html`<div class="box empty"><h2>${t('admin.nothingHereYet')}</h2></div>`
  return adminPage(request, {
    title: t('admin.history.historyOfTitle', { title: decodeEntities(String(item[kind.member] ?? '')) || '–' }),
    under: `/admin/${kind.collection}`,
    actions: html`<a class="button second" href="${path}">${t('admin.history.back')}</a>`,
    body: html`${rule}${rows.length === 0 ? none : html`<ol class="history">${rows}</ol>`}${more}`,
    refused,
    ...(refused === undefined && query('done') === 'saved' && { done: t('admin.restored') }),
  })
}

interface Shown {
  readonly entry: JournalEntry
  /** The change before it; undefined where there was none, or where it is on another page. */
  readonly before: JournalEntry | undefined
  readonly who: string
  readonly isNow: boolean
}

function entryOf(request: PageRequest, fields: readonly AnyField[], { entry, before, who, isNow }: Shown): Markup {
  const { t, say } = request
  const [now, past] = [entry.snapshot, before?.snapshot].map((one) => (one ?? undefined) as RawInput | undefined)
  const changed = now === undefined || past === undefined ? [] : changedFields(fields, past, now)
  const list = changed.map((field) => {
    const [from, to] = [past, now]
      .map((one) => one && pastValue(one, field))
      .map((value) =>
        typeof value === 'boolean' && field.kind.control === 'boolean'
          ? t(value ? 'admin.yes' : 'admin.no')
          : inShort(field, value),
      )
    const told = from === '' && to === '' ? NOTHING : html`: <del>${from || '–'}</del> → <ins>${to || '–'}</ins>`
    return html`<li dir="auto">${isDeclared(field) ? field.description : say(field.label ?? field.description)}${told}</li>\n`
  })
  const button = html`<form method="post">${csrfField(request)}<button class="second small" name="revision" value="${entry.revision}">${t('admin.history.restore')}</button></form>`
  const { agent } = entry
  const through = agent ? html` · <bdi>${t('admin.history.through', { agent })}</bdi>` : NOTHING
  const what = html`<p><strong>${actionText(request, entry.action)}</strong> · <bdi>${who}</bdi>${through} · <bdi>${momentText(request, entry.at)}</bdi></p>`
  const state = isNow
    ? html`<p class="quiet-text">${t('admin.history.current')}</p>`
    : now === undefined
      ? NOTHING
      : button
  return html`<li class="box">${what}${list.length === 0 ? NOTHING : html`<ul>${list}</ul>`}${state}</li>\n`
}

function actionText({ t }: PageRequest, action: JournalAction): string {
  const texts: Readonly<Record<JournalAction, string>> = {
    create: t('admin.created'),
    update: t('admin.changed'),
    extend: t('admin.changed'),
    trash: t('admin.movedToTrash'),
    restore: t('admin.restored'),
    delete: t('admin.deleted'),
  }
  return texts[action]
}

/** Saves an earlier state as a new change. */
async function restore(request: PageRequest, kind: KeptKind): Promise<PageResponse> {
  const { deps, incoming, sent } = request
  const id = Number(incoming.path['id'])
  const history = `/admin/${kind.collection}/${id}/history`
  const revision = /^\d{1,9}$/.test(sent('revision')) ? Number(sent('revision')) : 0
  const found = (before?: number) => historyOf(deps.storage, { resource: kind.resource, id, before, limit: 1 })
  const [[wanted], [present]] = [await found(revision + 1), await found()]
  if (wanted?.revision !== revision || wanted.snapshot === null) return redirect(history)
  try {
    await saveState(request, kind, { wanted, present })
    return redirect(`${history}?done=saved`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { summary, fields } = refusalsOf(request, error)
    return page(request, kind, Object.values(fields)[0] ?? summary)
  }
}
