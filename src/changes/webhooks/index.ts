/** Webhooks: programs elsewhere that are notified of changes, in messages of the form of Standard Webhooks. */

import type { BackgroundWork } from '../../base/background.ts'
import type { AnyRoute } from '../../http/route.ts'
import { readLog, replay, Tests } from './log.ts'
import { addWebhook, changeWebhook, listWebhooks, rotateSecret, webhookOrFail } from './manage.ts'
import { removeWebhook } from './remove.ts'
import { webhookRoutes } from './routes.ts'
import { Sender } from './sender.ts'
import type { ManagedWebhooks, RoutedWebhookDeps } from './types.ts'

export { aboutWebhook } from './audit.ts'
export { WEBHOOK_EVENTS } from './events.ts'
export { restoreWebhook } from './remove.ts'
export type { RoutedWebhookDeps } from './types.ts'

/** The webhooks of a calendar. */
export interface Webhooks {
  readonly routes: readonly AnyRoute[]
  /** Queues and sends; one process does it at a time. */
  readonly work: BackgroundWork
}

/** Opens the webhooks. */
export function openWebhooks(deps: RoutedWebhookDeps): Webhooks {
  const { storage } = deps
  const sender = new Sender(deps)
  const tests = new Tests(deps)
  const lookingAgain = async <Changed>(changing: Promise<Changed>): Promise<Changed> => {
    const changed = await changing
    sender.lookAgain()
    return changed
  }
  const webhooks: ManagedWebhooks = {
    list: () => listWebhooks(storage),
    add: (input) => lookingAgain(addWebhook(deps, input)),
    change: (id, input, check) => lookingAgain(changeWebhook(deps, id, { input, check })),
    remove: (id, removing) => removeWebhook(deps, id, removing),
    rotate: (id, check) => rotateSecret(deps, id, check),
    test: async (id) => tests.send(await webhookOrFail(storage, id)),
    log: (id, query) => readLog(storage, id, query),
    replay: (id, check) => lookingAgain(replay(deps, id, check)),
  }
  return { routes: webhookRoutes({ storage, webhooks, log: deps.log }), work: sender.work }
}
