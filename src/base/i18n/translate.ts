import { readFileSync } from 'node:fs'
import { LANGUAGES } from './languages.ts'

/** The texts of one language by their English text. */
export type Catalogue = Readonly<Record<string, string>>

/** Catalogues by language. English has none: it is the key. */
export const CATALOGUES: Readonly<Record<string, Catalogue>> = Object.fromEntries(
  LANGUAGES.filter((language) => language !== 'en').map((language) => [language, readCatalogue(language)]),
)

function readCatalogue(language: string): Catalogue {
  const file = new URL(`../../../locales/${language}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Catalogue
}

/**
 * The text in a language; the English text itself where the language has none. Slots such as `{param}` stay as they
 * are.
 */
export function translate(language: string, english: string): string {
  const catalogue = Object.hasOwn(CATALOGUES, language) ? CATALOGUES[language] : undefined
  return catalogue !== undefined && Object.hasOwn(catalogue, english) ? (catalogue[english] ?? english) : english
}
