import { OPTIONS } from '../base/config.ts'
import { LANGUAGES } from '../base/i18n/languages.ts'
import { dayIn } from '../pages/dates.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { type ControlParts, lineControl, type Offer, selectControl } from './controls.ts'
import { LEAST_COUNTS, LONGEST_LIMIT, type SettingName, type StoredSettings } from './deps.ts'
import { type FormValues, textIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'
import { colorControl, logoControl, STANDARD_COLORS } from './settings-look.ts'
import { zoneControl } from './zones.ts'

/** What the page of settings shows. */
export interface SettingsShown {
  readonly stored: StoredSettings
  readonly values: FormValues
  /** What was refused; `[]` where the form shows what is stored. */
  readonly problems: readonly SettingName[]
  /** Why the file of the logo was refused; absent where it was not. */
  readonly logo?: string
}

/** A part of the page. */
interface SettingSection {
  readonly title: string
  readonly names: readonly SettingName[]
  readonly hint?: string
}

/** All settings in their sections. */
export function settingSections(request: PageRequest, shown: SettingsShown): Markup {
  const sections = sectionsOf(request).map(({ title, names, hint }) => {
    const controls = names.map((name) => controlOf(request, name, shown))
    const told = hint === undefined ? NOTHING : html`<p class="hint">${hint}</p>`
    return html`<fieldset class="box"><legend>${title}</legend>${told}${controls}</fieldset>\n`
  })
  return html`${sections}`
}

function sectionsOf({ t }: PageRequest): readonly SettingSection[] {
  const limits: readonly SettingName[] = ['limitReads', 'limitCostlyReads', 'limitWrites', 'limitLogIns']
  return [
    {
      title: t('admin.settings.site'),
      names: [
        ...(['siteName', 'siteZone', 'baseUrl', 'language', 'currencySymbol', 'currencyPosition'] as const),
        'securityContact',
      ],
    },
    {
      title: t('admin.settings.publicPages'),
      names: [
        ...(['frontPage', 'weekStart', 'siteLogo', 'accent', 'accentDark', 'mapTiles', 'mapAttribution'] as const),
        ...(['iframeHosts', 'submissions'] as const),
      ],
    },
    { title: t('admin.settings.api'), names: ['perPageMax', 'requireIfMatch', 'corsOrigins'] },
    {
      title: t('admin.settings.limits'),
      names: [...limits, 'limitGuesses', 'limitSubmissions', 'logLevel'],
      hint: t('admin.settings.limitsHint', {
        none: 'none',
      }),
    },
  ]
}

/** What each setting is called. */
function settingLabels({ t }: PageRequest): Readonly<Record<SettingName, string>> {
  return {
    siteName: t('admin.siteName'),
    frontPage: t('admin.settings.homePage'),
    weekStart: t('admin.settings.weekStart'),
    siteZone: t('fields.timeZone'),
    baseUrl: t('admin.publicUrl'),
    language: t('admin.settings.defaultLanguage'),
    currencySymbol: t('admin.currencySymbol'),
    currencyPosition: t('admin.settings.currencySymbolPosition'),
    securityContact: t('admin.settings.securityContact'),
    siteLogo: t('admin.settings.logo'),
    accent: t('admin.settings.lightColor'),
    accentDark: t('admin.settings.darkColor'),
    mapTiles: t('admin.settings.mapTileUrl'),
    mapAttribution: t('admin.settings.mapAttribution'),
    iframeHosts: t('admin.settings.iframeHosts'),
    submissions: t('admin.settings.submissions'),
    perPageMax: t('admin.settings.perPage'),
    requireIfMatch: t('admin.settings.versionCheck'),
    corsOrigins: t('admin.settings.trustedSites'),
    limitReads: t('admin.settings.readRequests'),
    limitCostlyReads: t('admin.settings.costlyReads'),
    limitWrites: t('admin.settings.writeRequests'),
    limitLogIns: t('admin.system.failedSignIns'),
    limitGuesses: t('admin.settings.incorrectEventPasswords'),
    limitSubmissions: t('admin.settings.eventSubmissions'),
    logLevel: t('admin.settings.logLevel'),
  }
}

/** The value of a setting for people to read. */
function settingText(request: PageRequest, name: SettingName, value: string): string {
  return offersOf(request, name)?.find(([one]) => one === value)?.[1] ?? value
}

/** Days on which weeks start, each with one of those days. */
const WEEK_STARTS = [
  ['monday', '2026-11-30'],
  ['saturday', '2026-11-28'],
  ['sunday', '2026-11-29'],
] as const

/** What can be chosen for a setting; undefined where it is typed. */
function offersOf({ t, incoming }: PageRequest, name: SettingName): readonly Offer[] | undefined {
  const offers: Partial<Record<SettingName, readonly Offer[]>> = {
    frontPage: [
      ['list', t('common.nextEvents')],
      ['month', t('common.month')],
    ],
    weekStart: [
      ['region', t('admin.settings.weekOfRegion')],
      ...WEEK_STARTS.map(([value, day]): Offer => [value, dayIn(incoming.language, 'weekday', day)]),
    ],
    currencyPosition: [
      ['prefix', t('admin.settings.beforeTheAmount')],
      ['postfix', t('admin.settings.afterTheAmount')],
    ],
    logLevel: OPTIONS.logLevel.kind.hint.split('|').map((level) => [level, level]),
  }
  if (name === 'language') return languageOffers()
  if (name !== 'submissions' && name !== 'requireIfMatch') return offers[name]
  return [
    ['no', t('admin.no')],
    ['yes', t('admin.yes')],
  ]
}

function languageOffers(): readonly Offer[] {
  return LANGUAGES.map((code) => [code, new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code])
}

function hintOf({ t }: PageRequest, name: SettingName): string | undefined {
  const hints: Partial<Record<SettingName, string>> = {
    securityContact: t('admin.settings.securityContactHint', {
      address: 'mailto:security@example.org',
      path: '/.well-known/security.txt',
    }),
    mapTiles: t('admin.settings.mapTilesHint', {
      address: 'https://tile.example/{z}/{x}/{y}.png',
    }),
    iframeHosts: t('admin.settings.hostsHint', { name: 'videos.example.org' }),
    submissions: t('admin.settings.submissionsHint', { path: '/submit/' }),
    requireIfMatch: t('admin.settings.versionCheckHint', { header: 'If-Match' }),
    corsOrigins: t('admin.settings.trustedSitesHint', {
      name: 'https://www.example.org',
    }),
  }
  const least = Object.entries(LEAST_COUNTS).find(([limit]) => limit === name)?.[1]
  if (least === undefined) return hints[name]
  return t('admin.settings.limitBounds', { count: least, seconds: LONGEST_LIMIT })
}

function controlOf(request: PageRequest, name: SettingName, { stored, values, problems, logo }: SettingsShown): Markup {
  const { t, deps } = request
  if (deps.settings.isFixed(name)) {
    const label = settingLabels(request)[name]
    const value = settingText(request, name, stored[name])
    return html`<div class="field"><span class="label">${label}</span><bdi>${value}</bdi><p class="hint">${t('admin.settings.setByOption')}</p></div>\n`
  }
  const wrong = problems.includes(name) ? wrongText(request, name, logo) : undefined
  return settingControl(request, name, { hint: hintOf(request, name), value: textIn(values, name), wrong })
}

/** The control of a setting that can be set. */
export function settingControl(
  request: PageRequest,
  name: SettingName,
  state: Pick<ControlParts, 'hint' | 'value' | 'wrong'>,
): Markup {
  const control: ControlParts = { name, label: settingLabels(request)[name], ...state }
  if (name === 'siteZone') return zoneControl(control)
  if (name === 'siteLogo') return logoControl(request, control)
  if (STANDARD_COLORS[name] !== undefined) return colorControl(request, control)
  const offers = offersOf(request, name)
  return offers === undefined ? lineControl(control) : selectControl(control, offers)
}

function wrongText({ t }: PageRequest, name: SettingName, logo: string | undefined): string {
  if (name === 'siteLogo' && logo !== undefined) return logo
  return STANDARD_COLORS[name] === undefined ? t('admin.form.unusable') : t('admin.settings.pale')
}
