import type { Failure } from '../errors.ts'
import type { OnProgress } from './cluster/operations.ts'
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

/** Shows progress in place on a terminal; writes nothing elsewhere, where every report would become a line. */
export function progressOn(output: Output): OnProgress {
  if (output.isTTY !== true) return () => undefined
  return ({ done, total }) => {
    const end = total > 0 && done >= total ? '\n' : ''
    output.write(`\r${done}${total > 0 ? ` of ${total}` : ''}${end}`)
  }
}
