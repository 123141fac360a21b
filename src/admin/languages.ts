import { canonicalLanguage } from '../model/kinds/language.ts'
import { html, type Markup } from '../pages/html.ts'
import { type ControlParts, lineControl, type Offer, selectControl } from './controls.ts'
import { type FormValues, textIn } from './form-values.ts'
import type { PageRequest } from './page-request.ts'

/** Languages that are offered by name; every other one can be written as a tag. */
const TAGS = (
  'af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lb ' +
  'lt lv mk ml mn mr ms mt my nb ne nl nn pa pl ps pt pt-BR ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zh-Hans zh-Hant'
).split(' ')

/** The name of a language in that of the reader; the tag where it has none, and '' for none. */
export function languageName({ incoming }: Pick<PageRequest, 'incoming'>, tag: string): string {
  if (tag === '' || canonicalLanguage(tag) === undefined) return tag
  return new Intl.DisplayNames([incoming.language], { type: 'language' }).of(tag) ?? tag
}

/** The languages that are offered by name, sorted for the reader. */
export function languageOffers(
  { incoming: { language } }: Pick<PageRequest, 'incoming'>,
  tags = TAGS,
): readonly Offer[] {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  const nameOf = (tag: string): string => (canonicalLanguage(tag) === undefined ? tag : (names.of(tag) ?? tag))
  const { compare } = new Intl.Collator(language)
  return tags.map((tag): Offer => [tag, nameOf(tag)]).toSorted(([, one], [, other]) => compare(one, other))
}

/** The language of a content: a list of names in the language of the reader, and a line for every other tag. */
export function languageControl(request: PageRequest, parts: ControlParts, values: FormValues): Markup {
  const { t } = request
  const value = parts.value ?? ''
  const known = value === '' || TAGS.includes(value) ? TAGS : [value, ...TAGS]
  const offers = languageOffers(request, known)
  const other = `${parts.name}_other`
  const line = lineControl({
    name: other,
    label: t('admin.form.otherLanguage'),
    value: textIn(values, other),
    hint: t('admin.form.languageTagHint'),
  })
  const isOpen = textIn(values, other) === '' ? '' : ' open'
  return html`${selectControl(parts, [['', t('admin.notSpecified')], ...offers])}<details${isOpen}><summary>${t('admin.form.otherLanguage')}</summary>${line}</details>\n`
}
