import type { Phrases } from '../phrases.ts'

/** The days from Sunday on, without the article. */
const DAYS = ['أحد', 'اثنين', 'ثلاثاء', 'أربعاء', 'خميس', 'جمعة', 'سبت']
const NTH: Readonly<Record<number, string>> = { 1: 'أول', 2: 'ثاني', 3: 'ثالث', 4: 'رابع', 5: 'خامس', [-1]: 'آخر' }

/** Recurrences in Arabic. */
export const ARABIC: Phrases = {
  each: {
    year: 'كل سنة',
    month: 'كل شهر',
    week: 'كل أسبوع',
    day: 'كل يوم',
    hour: 'كل ساعة',
    minute: 'كل دقيقة',
    second: 'كل ثانية',
  },
  everyFew: {
    year: { two: 'كل سنتين', few: 'كل {n} سنوات', other: 'كل {n} سنة' },
    month: { two: 'كل شهرين', few: 'كل {n} أشهر', many: 'كل {n} شهرًا', other: 'كل {n} شهر' },
    week: { two: 'كل أسبوعين', few: 'كل {n} أسابيع', many: 'كل {n} أسبوعًا', other: 'كل {n} أسبوع' },
    day: { two: 'كل يومين', few: 'كل {n} أيام', many: 'كل {n} يومًا', other: 'كل {n} يوم' },
    hour: { two: 'كل ساعتين', few: 'كل {n} ساعات', other: 'كل {n} ساعة' },
    minute: { two: 'كل دقيقتين', few: 'كل {n} دقائق', other: 'كل {n} دقيقة' },
    second: { two: 'كل ثانيتين', few: 'كل {n} ثوانٍ', other: 'كل {n} ثانية' },
  },
  weekday: (day, _name, isEachWeek) => `يوم ${isEachWeek ? '' : 'ال'}${DAYS[day]}`,
  weekly: ['كل {list}', '{every} {list}'],
  monthDay: (day) => `اليوم ${day}`,
  lastDay: 'اليوم الأخير',
  nthWeekday: (nth, day) => `${NTH[nth]} يوم ${DAYS[day]}`,
  monthly: ['في {list} من الشهر', '{every} في {list} من الشهر'],
  yearly: ['كل سنة في {list}', '{every} في {list}'],
  yearlyNth: ['كل سنة في {nth} من {month}', '{every} في {nth} من {month}'],
  until: '{rule} حتى {date}',
  counted: '{rule}، {times}',
  times: { one: 'مرة واحدة', two: 'مرتين', few: '{n} مرات', other: '{n} مرة' },
  also: '{rule}، وكذلك في {list}',
  except: '{rule}، باستثناء {list}',
}
