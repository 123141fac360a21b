import type { Logger } from '../base/log.ts'
import type { PageResponse } from '../http/html-page.ts'
import { html } from '../pages/html.ts'
import { SETTING_NAMES } from './deps.ts'
import { adminPage, csrfField } from './layout.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { type SettingsShown, settingSections } from './settings-controls.ts'

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
  return page(request, { stored, values: stored, problems: [] })
}

/** What a form does not have stays as it is, and so does what it does not change. */
async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, sent, incoming } = request
  const stored = await deps.settings.latest()
  const open = SETTING_NAMES.filter((name) => !deps.settings.isFixed(name) && incoming.body[name] !== undefined)
  const changed = open.filter((name) => sent(name) !== stored[name])
  const texts = Object.fromEntries(changed.map((name) => [name, sent(name)]))
  const problems = deps.settings.problemsOf(texts)
  if (problems.length > 0) return page(request, { stored, values: { ...stored, ...texts }, problems })
  const before = atItsLevel(deps.log)
  await deps.settings.save(texts, incoming.caller.id)
  const log = before.isLevelEnabled('info') ? before : deps.log
  log.info({ change: 'settings', ...texts, by: incoming.caller.name }, 'audit')
  return redirect(`${PATH}?done=saved`)
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
  const body = html`<form method="post" action="${PATH}">${csrfField(request)}${settingSections(request, { stored, values, problems })}<div class="buttons publish"><button>${t('admin.save')}</button></div></form>`
  return adminPage(request, {
    status: problems.length === 0 ? 200 : 400,
    title: t('admin.settings'),
    under: PATH,
    body,
    ...(query('done') === 'saved' && problems.length === 0 && { done: t('admin.saved') }),
  })
}
