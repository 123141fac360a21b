import { type BackgroundWork, backgroundWork } from '../../base/background.ts'
import { Failure } from '../../base/errors.ts'
import type { Report } from '../../storage/engine.ts'
import { finishRemovals } from './remove.ts'
import { Rounds } from './rounds.ts'
import { dueSources } from './store.ts'
import type { VisitAsked } from './sync.ts'
import type { SourceDeps } from './types.ts'

/** Milliseconds between two looks for due work. */
const LOOK = 60_000

/** Servers that are asked at the same time. */
const AT_ONCE = 3

/** What is done with sources without being asked. */
export interface SourcesWork {
  readonly work: BackgroundWork
  /** Visits due work, each source once, and waits for that. */
  visitDue(signal?: AbortSignal): Promise<void>
}

/** Visits due work and continues with removing; `sync` visits a source, unless it is being visited. */
export function sourcesInBackground(
  deps: SourceDeps & { readonly report: Report },
  sync: (id: number, asked: VisitAsked) => Promise<unknown>,
): SourcesWork {
  const { storage, now } = deps
  const rounds = new Rounds({
    due: () => dueSources(storage, now()),
    visit: (id, signal) => isWell(deps, sync(id, { signal, isDue: true }), signal),
    freed: () => round.wake(),
    places: AT_ONCE,
  })
  let removing: Promise<unknown> | undefined
  const goOnRemoving = (signal: AbortSignal | undefined): Promise<unknown> => {
    removing ??= isWell(deps, finishRemovals(deps, signal), signal).finally(() => {
      removing = undefined
    })
    return removing
  }
  const round = backgroundWork({
    // Waits for none of them: what becomes due meanwhile starts when a place is free.
    round: (signal) => {
      void goOnRemoving(signal)
      return rounds.begin(signal)
    },
    every: LOOK,
    failed: (error) => deps.report(error, 'visiting sources'),
  })
  const stop = async (): Promise<void> => {
    await round.stop()
    await Promise.all([rounds.ended(), removing])
  }
  const visitDue = async (signal?: AbortSignal): Promise<void> => {
    await removing
    await goOnRemoving(signal)
    await rounds.all(signal)
  }
  return { work: { ...round, stop }, visitDue }
}

/** Reports what goes wrong, except that a source was removed meanwhile, and what was ended; whether nothing did. */
async function isWell(
  { report }: { readonly report: Report },
  doing: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await doing
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'source-not-found') return true
    if (signal?.aborted !== true) report(error, 'working on a source')
    return false
  }
}
