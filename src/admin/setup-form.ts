import { html, type Markup } from '../pages/html.ts'
import { lineControl } from './controls.ts'
import type { SettingName } from './deps.ts'
import type { PageRequest } from './page-request.ts'
import { settingControl } from './settings-controls.ts'
import { presetsFrom } from './setup-presets.ts'

/** Presets the time zone, which a browser tells scripts alone. */
export const SETUP_SCRIPT = 'admin/setup.ts'

/** What was refused, by the name of its field. */
export type Wrong = Readonly<Record<string, string>>

/** The fields in which somebody sets up the calendar and an account; settings that an option fixes are left out. */
export function setupFields(request: PageRequest, settings: readonly SettingName[], wrong: Wrong): Markup {
  const { t, deps, incoming, sent } = request
  const presets = presetsOf(request)
  const controls = settings
    .filter((name) => !deps.settings.isFixed(name))
    .map((name) =>
      settingControl(request, name, {
        value: incoming.body[name] === undefined ? (presets[name] ?? String(deps.settings.current[name])) : sent(name),
        hint: name === 'baseUrl' ? t('admin.setup.publicUrlHint') : undefined,
        wrong: wrong[name],
      }),
    )
  const name = { name: 'name', label: t('fields.name'), hint: t('admin.setup.usernameHint') }
  const email = { name: 'email', label: t('admin.signIn.emailOptional') }
  return html`${controls}${lineControl(
    { ...name, value: sent('name'), wrong: wrong['name'] },
    { autocomplete: 'username', required: true },
  )}${lineControl({ ...email, value: sent('email'), wrong: wrong['email'] }, { type: 'email', autocomplete: 'email' })}`
}

/** What the browser says, where nothing was set. */
function presetsOf({ deps, http }: PageRequest): Partial<Record<SettingName, string>> {
  const { baseUrl } = deps.settings.current
  const { language, currency } = presetsFrom(http.headers['accept-language'])
  return {
    ...(language !== '' && { language }),
    ...(currency !== undefined && { currencySymbol: currency.symbol, currencyPosition: currency.position }),
    baseUrl: baseUrl || `${http.protocol === 'https' ? 'https' : 'http'}://${http.host}`,
  }
}
