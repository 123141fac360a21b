import type { Logger } from '../base/log.ts'
import type { PageResponse } from '../http/page.ts'
import { html } from '../pages/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { startSent } from './form-start.ts'
import { textIn } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import { SETTING_NAMES, type StoredSettings } from './parts.ts'
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

async function show(asking: Asking): Promise<PageResponse> {
  const stored = await asking.parts.settings.latest()
  return page(asking, { stored, values: stored.values, problems: [] })
}

/** The form as far as it can be changed here; what a form does not have stays as it is. */
function formOf(asking: Asking, { values, mark }: StoredSettings): PlainForm {
  const { t, parts } = asking
  const labels = settingLabels(asking)
  const open = SETTING_NAMES.filter((name) => !parts.settings.isFixed(name))
  return {
    parts: open.map((name) => linePart(name, labels[name], (value) => settingText(asking, name, value))),
    now: Object.fromEntries(open.map((name) => [name, values[name]])),
    ...{ mark, title: t('admin.settings'), under: PATH },
  }
}

async function submit(asking: Asking): Promise<PageResponse> {
  const { parts, sent, incoming } = asking
  const stored = await parts.settings.latest()
  const form = formOf(asking, stored)
  const given = Object.keys(form.now).map((name) => [name, incoming.body[name] === undefined ? undefined : sent(name)])
  const { values, changed, from } = sentPlain(asking, form, {
    ...form.now,
    ...startSent(asking).base,
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
  })
  const texts: Readonly<Record<string, string>> = Object.fromEntries(
    Object.keys(changed).map((name) => [name, textIn(changed, name)]),
  )
  const problems = parts.settings.problemsOf(texts)
  if (problems.length > 0) return page(asking, { stored, values, problems })
  return savePlain(asking, { ...form, values }, async () => {
    const before = atItsLevel(parts.log)
    await parts.settings.save(texts, { actor: incoming.caller.id, mark: from.mark })
    const log = before.isLevelEnabled('info') ? before : parts.log
    log.info({ change: 'settings', ...texts, by: incoming.caller.name }, 'audit')
    return redirect(`${PATH}?done=saved`)
  })
}

/** A log that keeps the level of now: what a higher one silences does not begin with who has set it. */
function atItsLevel(log: Logger): Logger {
  // A child follows its parent as long as it was never given a level that differs.
  const kept = log.child({}, { level: 'silent' })
  kept.level = log.level
  return kept
}

function page(asking: Asking, { stored, values, problems }: SettingsShown): PageResponse {
  const { t, query } = asking
  const start = plainStart(asking, formOf(asking, stored), problems.length > 0)
  const body = html`<form method="post" action="${PATH}">${csrfField(asking)}${start}${settingSections(asking, { stored, values, problems })}<div class="buttons publish"><button>${t('admin.save')}</button></div></form>`
  return adminPage(asking, {
    status: problems.length === 0 ? 200 : 400,
    title: t('admin.settings'),
    under: PATH,
    body,
    ...(query('done') === 'saved' && problems.length === 0 && { done: t('admin.saved') }),
  })
}
