/** Text of the day and of the month of a wall clock reading. */
const PERIODS = { month: 'substr(%, 1, 7)', day: 'substr(%, 1, 10)' } as const

/**
 * The statements that count again from what lists read: days first, then months from days. Kind and target 0 stand for
 * all events.
 */
export function fillEventCounts(): string[] {
  const day = (column: 'start_local' | 'end_local'): string => PERIODS.day.replace('%', `occurrence.${column}`)
  const edges = (from: string, target: string): string[] => [
    `select ${target}, occurrence.status as status, ${day('start_local')} as period, 1 as starts, 0 as ends ${from}`,
    `select ${target}, occurrence.status as status, ${day('end_local')} as period, 0 as starts, 1 as ends ${from}`,
  ]
  const counted = [
    ...edges('from occurrence where occurrence.listed = 1', '0 as kind, 0 as target_id'),
    ...edges(
      `from occurrence_link inner join occurrence on occurrence.id = occurrence_link.occurrence_id
        where occurrence.listed = 1`,
      'occurrence_link.kind as kind, occurrence_link.target_id as target_id',
    ),
  ]
  const summed = (rows: string, level: number, period: string): string =>
    `insert into event_count (kind, target_id, status, level, period, starts, ends)
      select kind, target_id, status, ${level}, ${period}, sum(starts), sum(ends) from ${rows}
      group by kind, target_id, status, ${period}`
  return [
    'delete from event_count',
    summed(`(${counted.join(' union all ')}) as edges`, 2, 'period'),
    summed('(select * from event_count where level = 2) as days', 1, PERIODS.month.replace('%', 'period')),
  ]
}
