import type { Failure } from '../base/errors.ts'
import type { OnProgress } from './running-server/operations.ts'
import type { Output } from './types.ts'

/** Rows as aligned columns under a heading, ending with a newline; just the heading when there are no rows. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${text.join('\n')}\n`
}

/** An error as one line: a sentence for people, a JSON object for programs. */
export function errorLine(failure: Failure, json: boolean): string {
  const message = failure.message.replace(/\s*\n\s*/g, ' ')
  return json ? `${JSON.stringify({ error: { code: failure.code, message } })}\n` : `kalends: ${message}\n`
}

/** Shows progress in place on a terminal, with the rate and the time left (`now` in Unix milliseconds); writes nothing elsewhere, where every report would become a line. */
export function progressOn(output: Output, now: () => number): OnProgress {
  if (output.isTTY !== true) return () => undefined
  let begun: { readonly at: number; readonly done: number; readonly total: number } | undefined
  return ({ done, total }) => {
    const at = now()
    if (begun === undefined || done < begun.done || total !== begun.total) begun = { at, done, total }
    const rate = ((done - begun.done) * 1000) / Math.max(at - begun.at, 1)
    const left =
      rate > 0 && total > done ? `, ${rate.toFixed(1)} a second, ${timeText((total - done) / rate)} left` : ''
    const end = total > 0 && done >= total ? '\n' : ''
    // What stood there before may have been longer.
    output.write(`\r${`${done}${total > 0 ? ` of ${total}` : ''}${left}`.padEnd(60)}${end}`)
  }
}

/** A length of time: `45 s`, `3 min`, `2 h 5 min`. */
function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
