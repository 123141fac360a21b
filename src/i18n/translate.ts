import german from '../../locales/de.json' with { type: 'json' }

/** Catalogues by language: English text -> text of the language. English needs none. */
export const CATALOGUES: Readonly<Record<string, Readonly<Record<string, string>>>> = { de: german }

/** The text in a language; the English text itself where the language has none. Slots such as `{param}` stay as they are. */
export function translate(language: string, english: string): string {
  const catalogue = CATALOGUES[language]
  return catalogue !== undefined && Object.hasOwn(catalogue, english) ? (catalogue[english] ?? english) : english
}
