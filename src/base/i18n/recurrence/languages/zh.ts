import type { Phrases } from '../phrases.ts'

const NTH: Readonly<Record<number, string>> = { 1: '一', 2: '二', 3: '三', 4: '四', 5: '五' }

/** Recurrences in Chinese. */
export const CHINESE: Phrases = {
  each: {
    year: '每年',
    month: '每月',
    week: '每周',
    day: '每天',
    hour: '每小时',
    minute: '每分钟',
    second: '每秒',
  },
  everyFew: {
    year: { other: '每{n}年' },
    month: { other: '每{n}个月' },
    week: { other: '每{n}周' },
    day: { other: '每{n}天' },
    hour: { other: '每{n}小时' },
    minute: { other: '每{n}分钟' },
    second: { other: '每{n}秒' },
  },
  weekly: ['每{list}', '{every}的{list}'],
  monthDay: (day) => `${day}日`,
  lastDay: '最后一天',
  nthWeekday: (nth, _day, name) => (nth === -1 ? `最后一个${name}` : `第${NTH[nth]}个${name}`),
  monthly: ['每月{list}', '{every}的{list}'],
  yearly: ['每年{list}', '{every}的{list}'],
  yearlyNth: ['每年{month}的{nth}', '{every}{month}的{nth}'],
  until: '{rule}，直到{date}',
  counted: '{rule}，{times}',
  times: { other: '共{n}次' },
  also: '{rule}，另加{list}',
  except: '{rule}，{list}除外',
}
