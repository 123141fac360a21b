import type { Logger } from '../base/log.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html } from '../pages/html.ts'
import { SETTING_NAMES, type StoredSettings } from './deps.ts'
import { startSent } from './form-start.ts'
import { textIn } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { linePart, type PlainForm, plainStart, savePlain, sentPlain } from './plain-form.ts'
import { type SettingsShown, settingLabels, settingSections, settingText } from './settings-controls.ts'

const PATH = '/admin/settings'

/** What may be set while the server runs. */
export const SETTINGS_PAGE: AdminPage = {
  path: PATH,
  role: 'administrator',
  show,
  submit,
}

async function show(request: PageRequest): Promise<PageResponse> {
  const stored = await request.deps.settings.latest()
  return page(request, { stored, values: stored.values, problems: [] })
}

/** The form as far as it can be changed here; what a form does not have stays as it is. */
function formOf(request: PageRequest, { values, mark }: StoredSettings): PlainForm {
  const { t, deps } = request
  const labels = settingLabels(request)
  const open = SETTING_NAMES.filter((name) => !deps.settings.isFixed(name))
  return {
    parts: open.map((name) => linePart(name, labels[name], (value) => settingText(request, name, value))),
    now: Object.fromEntries(open.map((name) => [name, values[name]])),
    ...{ mark, title: t('admin.settings'), under: PATH },
  }
}

async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, incoming } = request
  const stored = await deps.settings.latest()
  const form = formOf(request, stored)
  const given = Object.keys(form.now).map((name) => [name, incoming.body[name] === undefined ? undefined : sent(name)])
  const { values, changed, from } = sentPlain(request, form, {
    ...form.now,
    ...startSent(request).base,
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  })
  const texts: Readonly<Record<string, string>> = Object.fromEntries(
    Object.keys(changed).map((name) => [name, textIn(changed, name)]),
  )
  const problems = deps.settings.problemsOf(texts)
  if (problems.length > 0) return page(request, { stored, values, problems })
  return savePlain(request, { ...form, values }, async () => {
    const before = atItsLevel(deps.log)
    await deps.settings.save(texts, { actor: incoming.caller.id, mark: from.mark })
    const log = before.isLevelEnabled('info') ? before : deps.log
    log.info({ change: 'settings', ...texts, by: incoming.caller.name }, 'audit')
    return redirect(`${PATH}?done=saved`)
  })
}

/** A log with the present level, so that a higher one does not silence the line about who has set it. */
function atItsLevel(log: Logger): Logger {
  // A child follows its parent as long as it was never given a level that differs.
  const kept = log.child({}, { level: 'silent' })
  kept.level = log.level
  return kept
}

function page(request: PageRequest, { stored, values, problems }: SettingsShown): PageResponse {
  const { t, query } = request
  const start = plainStart(request, formOf(request, stored), problems.length > 0)
  const body = html`<form method="post" action="${PATH}">${csrfField(request)}${start}${settingSections(request, { stored, values, problems })}<div class="buttons publish"><button>${t('admin.save')}</button></div></form>`
  return adminPage(request, {
    status: problems.length === 0 ? 200 : 400,
    title: t('admin.settings'),
    under: PATH,
    body,
    ...(query('done') === 'saved' && problems.length === 0 && { done: t('admin.saved') }),
  })
}
