/**
 * The locale in which dates and times are written in a language: in English and Arabic those of many countries differ,
 * and all pages write days before months, clocks of 24 hours, and digits that are those of prices and addresses.
 */
export function localeOf(language: string): string {
  return { en: 'en-GB-u-hc-h23', ar: 'ar-u-hc-h23-nu-latn' }[language] ?? language
}
