import { Session } from 'node:inspector/promises'
import { relative, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * The files below a folder of which a step enters a function, in alphabetical order: those of `entriesOf`, counted by V8, so
 * that nothing has to be loaded in a certain way. What else goes on in this process counts as well.
 */
export async function enteredFiles(folder: string, step: () => Promise<void>): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    do await setTimeout(PAUSE)
    while ((await takeFiles(session, folder)).length > 0)
    await step()
    return await takeFiles(session, folder)
  } finally {
    session.disconnect()
  }
}

/** Milliseconds in which nothing is entered before the step. */
const PAUSE = 20

/** The files that were entered since this was asked last. */
async function takeFiles(session: Session, folder: string): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const entered = result.filter(({ url, functions }) => url.startsWith('file:') && functions.some(isEntered))
  const paths = entered.map(({ url }) => fileURLToPath(url)).filter((path) => path.startsWith(folder + sep))
  return paths.map((path) => relative(folder, path)).sort()
}

/** Whether a function was entered; a whole module, which starts where its file does, is none. */
function isEntered({
  ranges: [range],
}: {
  readonly ranges: readonly { startOffset: number; count: number }[]
}): boolean {
  return range !== undefined && range.startOffset > 0 && range.count > 0
}
