import type { Phrases } from '../phrases.ts'

/** Recurrences in Japanese. */
export const JAPANESE: Phrases = {
  each: { year: '毎年', month: '毎月', week: '毎週', day: '毎日', hour: '毎時', minute: '毎分', second: '毎秒' },
  everyFew: {
    year: { other: '{n}年ごと' },
    month: { other: '{n}か月ごと' },
    week: { other: '{n}週間ごと' },
    day: { other: '{n}日ごと' },
    hour: { other: '{n}時間ごと' },
    minute: { other: '{n}分ごと' },
    second: { other: '{n}秒ごと' },
  },
  weekly: ['毎週{list}', '{every}の{list}'],
  monthDay: (day) => `${day}日`,
  lastDay: '末日',
  nthWeekday: (nth, _day, name) => (nth === -1 ? `最終${name}` : `第${nth}${name}`),
  monthly: ['毎月{list}', '{every}の{list}'],
  yearly: ['毎年{list}', '{every}の{list}'],
  yearlyNth: ['毎年{month}の{nth}', '{every}の{month}の{nth}'],
  until: '{rule}、{date}まで',
  counted: '{rule}、{times}',
  times: { other: '{n}回' },
  also: '{rule}、および{list}',
  except: '{rule}（{list}を除く）',
}
