import { translateKnown } from '../base/i18n/translate.ts'

/** What a text says that may be the id of a message: commands speak English. */
export function inEnglish(text: string): string {
  return translateKnown('en', text)
}
