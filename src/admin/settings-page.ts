import type { PageResponse } from '../http/page.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { type ControlParts, lineControl, type Offer, selectControl } from './controls.ts'
import { startSent } from './form-start.ts'
import { type FormValues, textIn } from './form-values.ts'
import { adminPage, csrfField } from './layout.ts'
import { SETTING_NAMES, type SettingName, type StoredSettings } from './parts.ts'
import { linePart, type PlainForm, plainStart, savePlain, sentPlain } from './plain-form.ts'
import { zoneControl } from './zones.ts'

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
  const labels = labelsOf(asking)
  const open = SETTING_NAMES.filter((name) => !parts.settings.isFixed(name))
  const offered = new Map([...languageOffers(), ...sideOffers(asking), ...frontOffers(asking)])
  return {
    parts: open.map((name) => linePart(name, labels[name], (value) => offered.get(value) ?? value)),
    now: Object.fromEntries(open.map((name) => [name, values[name]])),
    ...{ mark, title: t('Settings'), under: PATH },
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
    await parts.settings.save(texts, { actor: incoming.caller.id, mark: from.mark })
    parts.log.info({ change: 'settings', ...texts, by: incoming.caller.name }, 'audit')
    return redirect(`${PATH}?done=saved`)
  })
}

/** What the page shows. */
interface Showing {
  readonly stored: StoredSettings
  readonly values: FormValues
  /** What was refused; `[]` where the form shows what is stored. */
  readonly problems: readonly SettingName[]
}

function page(asking: Asking, { stored, values, problems }: Showing): PageResponse {
  const { t, query } = asking
  const controls = SETTING_NAMES.map((name) => controlOf(asking, name, { stored, values, problems }))
  const start = plainStart(asking, formOf(asking, stored), problems.length > 0)
  const body = html`<form method="post" action="${PATH}">${csrfField(asking)}${start}<div class="box">${controls}</div><div class="buttons publish"><button>${t('Save')}</button></div></form>`
  return adminPage(asking, {
    status: problems.length === 0 ? 200 : 400,
    title: t('Settings'),
    under: PATH,
    body,
    ...(query('done') === 'saved' && problems.length === 0 && { done: t('Saved') }),
  })
}

function labelsOf({ t }: Asking): Readonly<Record<SettingName, string>> {
  return {
    siteName: t('Site name'),
    frontPage: t('Start page'),
    siteZone: t('Time zone'),
    baseUrl: t('Public address'),
    language: t('Language when a visitor asks for none'),
    currencySymbol: t('Currency symbol'),
    currencyPosition: t('Place of the currency symbol'),
    siteLogo: t('Logo'),
    accent: t('Colour on light pages'),
    accentDark: t('Colour on dark pages'),
  }
}

function frontOffers({ t }: Asking): readonly Offer[] {
  return [
    ['list', t('Next events')],
    ['month', t('Month')],
  ]
}

function sideOffers({ t }: Asking): readonly Offer[] {
  return [
    ['prefix', t('Before the amount')],
    ['postfix', t('After the amount')],
  ]
}

function languageOffers(): readonly Offer[] {
  return LANGUAGES.map((code) => [code, new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code])
}

function controlOf(asking: Asking, name: SettingName, { stored, values, problems }: Showing): Markup {
  const { t, parts } = asking
  const label = labelsOf(asking)[name]
  if (parts.settings.isFixed(name))
    return html`<div class="field"><span class="label">${label}</span>${stored.values[name]}<p class="hint">${t('Set by an option of the server.')}</p></div>\n`
  const hints: Partial<Record<SettingName, string>> = {
    siteLogo: t('Address of a picture, shown beside the name.'),
    accent: t('Such as {color}: of links and buttons. It must be easy to read.', { color: '#3346c8' }),
    accentDark: t('Such as {color}: of links and buttons. It must be easy to read.', { color: '#a9b6ff' }),
  }
  const control: ControlParts = {
    hint: hints[name],
    name,
    label,
    value: textIn(values, name),
    wrong: problems.includes(name) ? t('This cannot be used here.') : undefined,
  }
  if (name === 'frontPage') return selectControl(control, frontOffers(asking))
  if (name === 'siteZone') return zoneControl(control)
  if (name === 'language') return selectControl(control, languageOffers())
  return name === 'currencyPosition'
    ? selectControl(control, sideOffers(asking))
    : html`${lineControl(control)}${NOTHING}`
}
