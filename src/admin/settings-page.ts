import type { Logger } from '../base/log.ts'
import type { PageResponse } from '../http/html-page.ts'
import type { RawInput } from '../http/request/body.ts'
import { html } from '../pages/html.ts'
import { SETTING_NAMES, type SettingName } from './deps.ts'
import { objectsIn } from './form-values.ts'
import { FILE_SCRIPT } from './image-input.ts'
import { adminPage, csrfField } from './layout.ts'
import { type AdminPage, type PageRequest, redirect } from './page-request.ts'
import { refusalsOf } from './refusals.ts'
import { type SettingsShown, settingSections } from './settings-controls.ts'
import { STANDARD_COLORS } from './settings-look.ts'

const PATH = '/admin/settings'

/** What may be set while the server runs. */
export function settingsPage(bodyLimit: number): AdminPage {
  return { path: PATH, role: 'administrator', bodyLimit, show, submit }
}

async function show(request: PageRequest): Promise<PageResponse> {
  const stored = await request.deps.settings.latest()
  return page(request, { stored, values: stored, problems: [] })
}

/** What a form does not have stays as it is, and so does what it does not change. */
async function submit(request: PageRequest): Promise<PageResponse> {
  const { deps, incoming } = request
  const stored = await deps.settings.latest()
  const open = SETTING_NAMES.filter((name) => !deps.settings.isFixed(name) && incoming.body[name] !== undefined)
  const given = open.map((name) => [name, textSent(request, name)] as const)
  const texts = Object.fromEntries(given.filter(([name, text]) => text !== stored[name]))
  const problems = deps.settings.problemsOf(texts)
  const values = { ...stored, ...texts }
  if (problems.length > 0) return page(request, { stored, values, problems })
  try {
    Object.assign(texts, await uploadedLogo(request))
  } catch (error) {
    const { fields, summary } = refusalsOf(request, error)
    return page(request, { stored, values, problems: ['siteLogo'], logo: fields['file'] ?? summary })
  }
  const before = atItsLevel(deps.log)
  await deps.settings.save(texts, incoming.caller.id)
  const log = before.isLevelEnabled('info') ? before : deps.log
  log.info({ change: 'settings', ...texts, by: incoming.caller.name }, 'audit')
  return redirect(`${PATH}?done=saved`)
}

/** What the form says of a setting: the standard color of everybody is none of its own. */
function textSent({ sent }: PageRequest, name: SettingName): string {
  if (name === 'siteLogo' && sent('logo_remove') === 'true') return ''
  return sent(name) === STANDARD_COLORS[name] ? '' : sent(name)
}

/** The address of a logo that was sent, as its setting. @throws what the image is refused for */
async function uploadedLogo({ deps, incoming }: PageRequest): Promise<{ readonly siteLogo?: string }> {
  const { upload } = incoming
  if (upload === undefined || deps.settings.isFixed('siteLogo')) return {}
  const reply = await deps.api(incoming, { method: 'POST', path: '/kalends/v1/media', upload })
  const [image] = objectsIn((reply.body as RawInput)['image'])
  return { siteLogo: new URL(String(image?.['url'])).pathname }
}

/** A log with the present level, so that a higher one does not silence the line about who has set it. */
function atItsLevel(log: Logger): Logger {
  // A child follows its parent as long as it was never given a level that differs.
  const kept = log.child({}, { level: 'silent' })
  kept.level = log.level
  return kept
}

function page(request: PageRequest, shown: SettingsShown): PageResponse {
  const { t, query } = request
  const { problems } = shown
  const body = html`<form class="event-form" method="post" action="${PATH}" enctype="multipart/form-data">${csrfField(request)}${settingSections(request, shown)}<div class="buttons publish"><button>${t('admin.save')}</button></div></form>`
  return adminPage(request, {
    status: problems.length === 0 ? 200 : 400,
    title: t('admin.settings'),
    under: PATH,
    body,
    scripts: ['admin/contrast.ts', FILE_SCRIPT],
    ...(query('done') === 'saved' && problems.length === 0 && { done: t('admin.saved') }),
  })
}
