import type { WorkProblem } from '../../storage/jobs/index.ts'
import type { PageRequest } from '../page-request.ts'
import { whyFailed } from '../work/words.ts'

/**
 * The line of a file in the name of a skipped item, `june.csv: line 7`, with the file where that is one of an
 * archive; the name itself where it has none.
 */
export function lineOf(what: string, archive: string): string {
  const [, file = '', line] = /^(.*): line (\d+)$/.exec(what) ?? []
  if (line === undefined) return what
  return file.startsWith(`${archive}: `) ? `${file.slice(archive.length + 2)}: ${line}` : line
}

/** Why an import of a file failed, in the language of the reader. */
export function failureText(request: PageRequest, problem: WorkProblem | undefined): string {
  const { t, say } = request
  const { file = '', reason = '' } = problem?.slots ?? {}
  if (problem?.code === 'calendar_not_readable')
    return t('admin.import.cannotImport', { file, reason: say(String(reason)) })
  return whyFailed(request, problem)
}
