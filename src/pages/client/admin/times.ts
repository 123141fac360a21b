// While the start moves, the end keeps its distance: an event that is moved lasts as long as before.
const form = document.querySelector<HTMLInputElement>('input[name=end_date_time]')?.form ?? undefined

function input(name: string): HTMLInputElement | undefined {
  const found = form?.elements.namedItem(name)
  return found instanceof HTMLInputElement ? found : undefined
}

/** What a day and its time say, milliseconds as if on a clock in UTC; not a number where they say nothing. */
function moment(name: string): number {
  const [day, time] = [input(name), input(`${name}_time`)]
  return Date.parse(`${day?.value}T${time?.value || '00:00'}Z`)
}

let start = moment('start_date')

form?.addEventListener('input', ({ target }) => {
  const before = start
  const now = moment('start_date')
  if (Number.isNaN(now)) return
  start = now
  const isMoved = target === input('start_date') || target === input('start_date_time')
  const end = moment('end_date') + now - before
  if (isMoved && !Number.isNaN(end)) show(end)
})

/** An end without a time stays one. */
function show(end: number): void {
  const [day, time] = [input('end_date'), input('end_date_time')]
  const text = new Date(end).toISOString()
  if (day !== undefined) day.value = text.slice(0, 10)
  if (time !== undefined && time.value !== '') time.value = text.slice(11, 16)
}

// The server need not do the same.
const shown = input('_times')
if (shown !== undefined) shown.value = ''

export {}
