/** First days of weeks by locale; there are no more locales than languages and regions. */
const known = new Map<string, number>()

/** On which day weeks start in a locale, by Unicode CLDR: 0 Sunday .. 6 Saturday. */
export function firstWeekday(locale: string): number {
  const found = known.get(locale) ?? new Intl.Locale(locale).getWeekInfo().firstDay % 7
  known.set(locale, found)
  return found
}
