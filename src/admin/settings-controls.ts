import { OPTIONS } from '../base/config.ts'
import { LANGUAGES } from '../base/i18n/languages.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import type { Asking } from './asking.ts'
import { type ControlParts, lineControl, type Offer, selectControl } from './controls.ts'
import { type FormValues, textIn } from './form-values.ts'
import { LEAST_COUNTS, LONGEST_LIMIT, type SettingName, type StoredSettings } from './parts.ts'
import { zoneControl } from './zones.ts'

/** What the page of settings shows. */
export interface SettingsShown {
  readonly stored: StoredSettings
  readonly values: FormValues
  /** What was refused; `[]` where the form shows what is stored. */
  readonly problems: readonly SettingName[]
}

/** A part of the page. */
interface SettingSection {
  readonly title: string
  readonly names: readonly SettingName[]
  readonly hint?: string
}

/** All settings in their sections. */
export function settingSections(asking: Asking, shown: SettingsShown): Markup {
  const sections = sectionsOf(asking).map(({ title, names, hint }) => {
    const controls = names.map((name) => controlOf(asking, name, shown))
    const told = hint === undefined ? NOTHING : html`<p class="hint">${hint}</p>`
    return html`<fieldset class="box"><legend>${title}</legend>${told}${controls}</fieldset>\n`
  })
  return html`${sections}`
}

function sectionsOf({ t }: Asking): readonly SettingSection[] {
  const limits: readonly SettingName[] = ['limitReads', 'limitCostlyReads', 'limitWrites', 'limitLogIns']
  return [
    {
      title: t('Site'),
      names: [
        ...(['siteName', 'siteZone', 'baseUrl', 'language', 'currencySymbol', 'currencyPosition'] as const),
        'securityContact',
      ],
    },
    {
      title: t('Public pages'),
      names: [
        ...(['frontPage', 'siteLogo', 'accent', 'accentDark', 'mapTiles', 'mapAttribution'] as const),
        ...(['iframeHosts', 'submissions'] as const),
      ],
    },
    { title: t('Interface for programs'), names: ['perPageMax', 'requireIfMatch', 'corsOrigins'] },
    {
      title: t('Limits and log'),
      names: [...limits, 'limitGuesses', 'limitSubmissions', 'logLevel'],
      hint: t('What one address may do: a number, a slash and the seconds that it is for, or {none} for no limit.', {
        none: 'none',
      }),
    },
  ]
}

/** What each setting is called. */
export function settingLabels({ t }: Asking): Readonly<Record<SettingName, string>> {
  return {
    siteName: t('Site name'),
    frontPage: t('Start page'),
    siteZone: t('Time zone'),
    baseUrl: t('Public address'),
    language: t('Language when a visitor asks for none'),
    currencySymbol: t('Currency symbol'),
    currencyPosition: t('Place of the currency symbol'),
    securityContact: t('Where faults of security are reported'),
    siteLogo: t('Logo'),
    accent: t('Colour on light pages'),
    accentDark: t('Colour on dark pages'),
    mapTiles: t('Pictures of maps'),
    mapAttribution: t('Whose maps they are'),
    iframeHosts: t('Hosts whose frames stay in descriptions'),
    submissions: t('Visitors may submit events'),
    perPageMax: t('Most items on a page of a list'),
    requireIfMatch: t('Programs must say which version they change'),
    corsOrigins: t('Other sites whose scripts may send credentials'),
    limitReads: t('Reads'),
    limitCostlyReads: t('Costly reads, such as searches'),
    limitWrites: t('Writes'),
    limitLogIns: t('Failed log-ins'),
    limitGuesses: t('Wrong passwords of events'),
    limitSubmissions: t('Submitted events'),
    logLevel: t('Lowest level that is logged'),
  }
}

/** The value of a setting for people to read. */
export function settingText(asking: Asking, name: SettingName, value: string): string {
  return offersOf(asking, name)?.find(([one]) => one === value)?.[1] ?? value
}

/** What can be chosen for a setting; undefined where it is typed. */
function offersOf({ t }: Asking, name: SettingName): readonly Offer[] | undefined {
  const offers: Partial<Record<SettingName, readonly Offer[]>> = {
    frontPage: [
      ['list', t('Next events')],
      ['month', t('Month')],
    ],
    currencyPosition: [
      ['prefix', t('Before the amount')],
      ['postfix', t('After the amount')],
    ],
    logLevel: OPTIONS.logLevel.kind.hint.split('|').map((level) => [level, level]),
  }
  if (name === 'language') return languageOffers()
  if (name !== 'submissions' && name !== 'requireIfMatch') return offers[name]
  return [
    ['no', t('No')],
    ['yes', t('Yes')],
  ]
}

function languageOffers(): readonly Offer[] {
  return LANGUAGES.map((code) => [code, new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code])
}

function hintOf({ t }: Asking, name: SettingName): string | undefined {
  const colour = (color: string): string =>
    t('Such as {color}: of links and buttons. It must be easy to read.', { color })
  const hints: Partial<Record<SettingName, string>> = {
    securityContact: t('An address such as {address}, which {path} tells.', {
      address: 'mailto:security@example.org',
      path: '/.well-known/security.txt',
    }),
    siteLogo: t('Address of a picture, shown beside the name.'),
    accent: colour('#3346c8'),
    accentDark: colour('#a9b6ff'),
    mapTiles: t('Such as {address}: visitors who ask for a map load it from there. Without it there are no maps.', {
      address: 'https://tile.example/{z}/{x}/{y}.png',
    }),
    iframeHosts: t('Such as {name}, with commas between several.', { name: 'videos.example.org' }),
    submissions: t('With the form at {path}; what they send waits for review.', { path: '/submit/' }),
    requireIfMatch: t('Changes of items without {header} are refused.', { header: 'If-Match' }),
    corsOrigins: t('Such as {name}, with commas between several. Only sites that you trust.', {
      name: 'https://www.example.org',
    }),
  }
  const least = Object.entries(LEAST_COUNTS).find(([limit]) => limit === name)?.[1]
  if (least === undefined) return hints[name]
  return t('At least {count}, for at most {seconds} seconds.', { count: least, seconds: LONGEST_LIMIT })
}

function controlOf(asking: Asking, name: SettingName, { stored, values, problems }: SettingsShown): Markup {
  const { t, parts } = asking
  const label = settingLabels(asking)[name]
  if (parts.settings.isFixed(name)) {
    const value = settingText(asking, name, stored.values[name])
    return html`<div class="field"><span class="label">${label}</span><bdi>${value}</bdi><p class="hint">${t('Set by an option of the server.')}</p></div>\n`
  }
  const control: ControlParts = {
    hint: hintOf(asking, name),
    name,
    label,
    value: textIn(values, name),
    wrong: problems.includes(name) ? t('This cannot be used here.') : undefined,
  }
  if (name === 'siteZone') return zoneControl(control)
  const offers = offersOf(asking, name)
  return offers === undefined ? lineControl(control) : selectControl(control, offers)
}
