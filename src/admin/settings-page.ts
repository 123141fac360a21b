import type { PageResponse } from '../http/page.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { html, type Markup, NOTHING } from '../web/html.ts'
import { type AdminPage, type Asking, redirect } from './asking.ts'
import { type ControlParts, lineControl, type Offer, selectControl } from './controls.ts'
import { adminPage, csrfField } from './layout.ts'
import { SETTING_NAMES, type SettingName } from './parts.ts'
import { zoneControl } from './zones.ts'

const PATH = '/admin/settings'

/** What may be set while the server runs. */
export const SETTINGS_PAGE: AdminPage = {
  path: PATH,
  role: 'administrator',
  show: (asking) => page(asking, []),
  submit,
}

async function submit(asking: Asking): Promise<PageResponse> {
  const { parts, sent, incoming } = asking
  const open = SETTING_NAMES.filter((name) => !parts.settings.isFixed(name) && incoming.body[name] !== undefined)
  const texts = Object.fromEntries(open.map((name) => [name, sent(name)]))
  const problems = parts.settings.problemsOf(texts)
  if (problems.length > 0) return page(asking, problems)
  await parts.settings.save(texts, incoming.caller.id)
  parts.log.info({ change: 'settings', ...texts, by: incoming.caller.name }, 'audit')
  return redirect(`${PATH}?done=saved`)
}

function page(asking: Asking, problems: readonly SettingName[]): PageResponse {
  const { t, query } = asking
  const controls = SETTING_NAMES.map((name) => controlOf(asking, name, problems))
  const body = html`<form method="post" action="${PATH}">${csrfField(asking)}<div class="box">${controls}</div><div class="buttons publish"><button>${t('Save')}</button></div></form>`
  return adminPage(asking, {
    status: problems.length === 0 ? 200 : 400,
    title: t('Settings'),
    under: PATH,
    body,
    ...(query('done') === 'saved' && problems.length === 0 && { done: t('Saved') }),
  })
}

function controlOf(asking: Asking, name: SettingName, problems: readonly SettingName[]): Markup {
  const { t, parts, incoming, sent } = asking
  const labels = {
    siteName: t('Site name'),
    siteZone: t('Time zone'),
    baseUrl: t('Public address'),
    language: t('Language when a visitor asks for none'),
    currencySymbol: t('Currency symbol'),
    currencyPosition: t('Place of the currency symbol'),
    siteLogo: t('Logo'),
    accent: t('Colour on light pages'),
    accentDark: t('Colour on dark pages'),
  }
  const value = incoming.body[name] === undefined ? String(parts.settings.current[name]) : sent(name)
  if (parts.settings.isFixed(name))
    return html`<div class="field"><span class="label">${labels[name]}</span>${value}<p class="hint">${t('Set by an option of the server.')}</p></div>\n`
  const hints: Partial<Record<SettingName, string>> = {
    siteLogo: t('Address of a picture, shown beside the name.'),
    accent: t('Such as {color}: of links and buttons. It must be easy to read.', { color: '#3346c8' }),
    accentDark: t('Such as {color}: of links and buttons. It must be easy to read.', { color: '#a9b6ff' }),
  }
  const control: ControlParts = {
    hint: hints[name],
    name,
    label: labels[name],
    value,
    wrong: problems.includes(name) ? t('This cannot be used here.') : undefined,
  }
  const sides: readonly Offer[] = [
    ['prefix', t('Before the amount')],
    ['postfix', t('After the amount')],
  ]
  const languages = LANGUAGES.map(
    (code): Offer => [code, new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code],
  )
  if (name === 'siteZone') return zoneControl(control)
  if (name === 'language') return selectControl(control, languages)
  return name === 'currencyPosition' ? selectControl(control, sides) : html`${lineControl(control)}${NOTHING}`
}
