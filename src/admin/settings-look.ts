import { GROUNDS } from '../base/config/theme.ts'
import { html, type Markup, NOTHING } from '../pages/html.ts'
import { type ControlParts, checkControl, lineControl } from './controls.ts'
import { imageInput } from './image-input.ts'
import type { PageRequest } from './page-request.ts'

/** The accents of a site that has chosen none, by their settings. */
export const STANDARD_COLORS: Readonly<Record<string, string>> = { accent: '#0a6b4a', accentDark: '#6fdcab' }

/** A color to pick, with what its contrast is on the grounds of public pages. */
export function colorControl({ t }: PageRequest, parts: ControlParts): Markup {
  const { name } = parts
  const standard = STANDARD_COLORS[name] ?? ''
  const grounds = name === 'accentDark' ? GROUNDS.dark : GROUNDS.light
  const [good, low] = [
    t('admin.settings.goodContrast', { ratio: '{ratio}' }),
    t('admin.settings.lowContrast', { ratio: '{ratio}' }),
  ]
  const control = lineControl(
    { ...parts, value: parts.value || standard, hint: t('admin.settings.colorHint', { color: standard }) },
    { type: 'color' },
  )
  return html`<div class="color">${control}<output for="f-${name}" data-grounds="${grounds.join(' ')}" data-good="${good}" data-low="${low}"></output></div>\n`
}

/** The logo of the site: the one that it has, a file to upload in its place, and a box to take it away. */
export function logoControl(request: PageRequest, { name, label, value = '', wrong }: ControlParts): Markup {
  const { t, deps } = request
  const shown = value === '' ? NOTHING : html`<img class="preview" src="${value}" alt="">`
  const remove =
    value === '' ? NOTHING : checkControl({ name: 'logo_remove', label: t('admin.form.removeImage'), isChecked: false })
  const file = lineControl(
    { name: 'file', label, hint: t('admin.settings.logoHint'), wrong },
    imageInput(request, deps.config.mediaLimit),
  )
  return html`<input type="hidden" name="${name}" value="${value}">${shown}${file}${remove}`
}
