import { Failure } from '../../base/errors.ts'
import { forTheCalendar } from '../../base/requester.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Report, Storage } from '../engine.ts'
import {
  askToStop,
  type Beginning,
  changeWork,
  deleteWork,
  insertWork,
  latestWork,
  pruneRepeated,
  recentOfAll,
  recentWork,
  type WorkChange,
  workAfter,
  workById,
} from './store.ts'
import type { LongWork, LongWorkState, WorkProblem, WorkTask } from './types.ts'

/** Milliseconds between two signs of life, and in which work has to end when the process does. */
const [BEAT, PATIENCE] = [2_000, 3_000]

/** Why work is aborted when its process ends. */
const CLOSING = 'the process ends'

/** What long work needs. */
export interface LongWorkDeps {
  readonly storage: Storage
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Work under way in this process. */
interface UnderWay {
  readonly controller: AbortController
  readonly end: Promise<unknown>
  /** Notes that it was broken off. */
  lose(): Promise<unknown>
}

/**
 * Work that continues while nobody waits for it. A row says how far it is, so any process can show it; one without a sign of
 * life for a minute belongs to a process that died.
 */
export function openLongWork(deps: LongWorkDeps): LongWork {
  const { storage, now } = deps
  const here = new Map<number, UnderWay>()
  let isClosing = false
  const claim = async (work: Beginning): Promise<number | undefined> =>
    isClosing ? undefined : storage.write((tx) => insertWork(tx, work, now()))
  return {
    begin: async ({ run, ...work }) => {
      const id = await claim(work)
      if (id === undefined) return undefined
      // It belongs to no request: it continues when its client is gone, and only its row shows that.
      void forTheCalendar(() => goOn(deps, here, { id, run, told: (outcome) => outcome })).catch(() => undefined)
      return id
    },
    during: async ({ run, told, ...work }) => {
      const id = await storage.write((tx) => insertWork(tx, { ...work, lane: '' }, now()))
      return goOn(deps, here, { id: id ?? 0, run, told }).catch(async (error: unknown) => {
        const forgetting = storage.write((tx) => pruneRepeated(tx, id ?? 0))
        await forgetting.catch((problem: unknown) => deps.report(problem, 'deleting old reports'))
        throw error
      })
    },
    find: (id) => workById(storage, id, now()),
    latest: (kind) => latestWork(storage, kind, now()),
    recent: (kind) => recentWork(storage, kind, now()),
    recentOfAll: () => recentOfAll(storage, now()),
    followers: (id) => workAfter(storage, id, now()),
    stop: async (id) => {
      await storage.write((tx) => askToStop(tx, id))
      here.get(id)?.controller.abort()
    },
    close: async () => {
      isClosing = true
      await Promise.all([...here.values()].map(closeOne))
    },
  }
}

async function closeOne({ controller, end, lose }: UnderWay): Promise<void> {
  controller.abort(CLOSING)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), PATIENCE)
  })
  if ((await Promise.race([end, late])) === 'late') await lose()
  clearTimeout(timer)
}

/** Work with its number. */
interface Numbered<Outcome> {
  readonly id: number
  run(task: WorkTask): Promise<Outcome>
  told(outcome: Outcome): unknown
}

/** Does the work, and says every few seconds how far it is. @throws what the work throws */
async function goOn<Outcome>(
  deps: LongWorkDeps,
  here: Map<number, UnderWay>,
  { id, run, told }: Numbered<Outcome>,
): Promise<Outcome> {
  const { report } = deps
  const controller = new AbortController()
  const { signal } = controller
  const teller = tellerOf(deps, id, () => controller.abort())
  const work = async (): Promise<Outcome> => {
    try {
      const outcome = await run({ id, signal, progress: teller.progress })
      const kept = told(outcome)
      await teller.end({ state: 'done', outcome: JSON.stringify(kept ?? null) })
      if (kept === undefined) await deps.storage.write((tx) => deleteWork(tx, id))
      return outcome
    } catch (error) {
      if (!(error instanceof Failure) && !signal.aborted) report(error, 'long work')
      const problem = JSON.stringify(problemOf(error))
      const stopped = { state: signal.reason === CLOSING ? 'lost' : 'stopped' } as const
      await teller.end(signal.aborted ? stopped : { state: 'failed', problem })
      throw error
    } finally {
      here.delete(id)
    }
  }
  const end = work()
  here.set(id, { controller, end: end.catch(() => undefined), lose: () => teller.end({ state: 'lost' }) })
  return end
}

/** What someone is told about an error. */
function problemOf(error: unknown): WorkProblem {
  if (!(error instanceof Failure)) return { code: 'internal_server_error', slots: {} }
  return { code: error.code, slots: error.slots }
}

/** Says how far some work is; `stop` is called when someone wants it to end. */
function tellerOf({ storage, now, report }: LongWorkDeps, id: number, stop: () => void) {
  let progress = { done: 0, total: 0 }
  let last: Promise<unknown> = Promise.resolve()
  const tell = (change: Omit<WorkChange, 'seen_at'>): Promise<unknown> => {
    const told = { ...progress, ...change, seen_at: utcFromMillis(now()) }
    const write = () => storage.write((tx) => changeWork(tx, id, told))
    last = last
      .then(write)
      .then((isStopping) => (isStopping ? stop() : undefined))
      .catch((error: unknown) => report(error, 'reporting progress of long work'))
    return last
  }
  const beat = setInterval(() => void tell({}), BEAT).unref()
  return {
    progress: (present: typeof progress) => {
      progress = present
    },
    end: (how: { readonly state: LongWorkState; readonly outcome?: string; readonly problem?: string }) => {
      clearInterval(beat)
      return tell({ ...how, ended_at: utcFromMillis(now()) })
    },
  }
}
