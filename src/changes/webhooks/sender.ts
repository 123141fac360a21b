import { type BackgroundWork, backgroundWork, rest } from '../../base/background.ts'
import { isUnavailable, mayWorkLater } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Transaction } from '../../storage/engine.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { bodyOf } from './message.ts'
import { pruneLog } from './prune.ts'
import { queueChanges } from './queue.ts'
import { AWAY, recordAttempt } from './record-attempt.ts'
import { type AttemptOutcome, attempt } from './send.ts'
import { activeWebhooks, dueDeliveries } from './store.ts'
import type { WebhookDeps } from './types.ts'

/** Messages under way at a time: to one receiver, to one that is away, and to all. */
const UNDER_WAY = { each: 4, away: 1, all: 64 } as const

/** Milliseconds between two looks for due work. */
const LOOK = 5_000

/** Milliseconds between two looks for expired entries of the log. */
const FORGET = 3_600_000

/** Messages of a webhook that may be sent now. */
interface Due {
  readonly hook: WebhookTable
  readonly deliveries: readonly WebhookDeliveryTable[]
}

type Made = { readonly ok: true; readonly body: string } | { readonly ok: false; readonly outcome: AttemptOutcome }

const NOT_SENT = { isDelivered: false, isGone: false, status: 0, wait: 0 } as const

const UNMADE: AttemptOutcome = {
  ...NOT_SENT,
  unmade: 'error',
  problem: 'the message could not be made; the log of the server says why',
}

const TOO_BUSY: AttemptOutcome = {
  ...NOT_SENT,
  unmade: 'busy',
  problem: 'the calendar was too busy to make the message',
}

/** Queues and sends the messages of all webhooks; one process of a calendar does it at a time. */
export class Sender {
  readonly work: BackgroundWork
  readonly #deps: WebhookDeps
  /** Deliveries under way, by webhook. */
  readonly #underWay = new Map<number, Map<number, Promise<void>>>()
  #count = 0
  #turn = 0
  #lookedAt = 0
  /** Whether changes start rounds: not after a look that found no active webhook. */
  #isAwake = true
  /** Until when there may be a webhook that looks do not find, Unix milliseconds. */
  #expectedUntil = 0
  readonly #wake: () => void

  constructor(deps: WebhookDeps) {
    this.#deps = deps
    const work = backgroundWork({
      round: (signal) => this.round(signal),
      every: LOOK,
      failed: (error) => deps.report(error, 'sending webhook deliveries'),
    })
    const stop = async (): Promise<void> => {
      await work.stop()
      await this.settled()
    }
    const wake = (): void => (this.#isAwake ? work.wake() : undefined)
    this.#wake = work.wake
    this.work = { ...work, wake, stop }
  }

  /**
   * To be called when there may be a new webhook, which its transaction or a replica may show later. One that was added by
   * another process, or restored, is found within `LOOK` milliseconds.
   */
  lookAgain(): void {
    this.#isAwake = true
    this.#expectedUntil = this.#deps.now() + LOOK
    this.#wake()
  }

  /** Queues what is new and starts due work, as much as may be under way. */
  async round(signal: AbortSignal): Promise<void> {
    const { storage } = this.#deps
    // A calendar without webhooks makes no transactions for them.
    const hasWebhooks = (await activeWebhooks(storage)).length > 0
    this.#isAwake = hasWebhooks || this.#deps.now() < this.#expectedUntil
    if (!hasWebhooks) return this.#prune(signal)
    for (let isMore = true; isMore && !signal.aborted; ) {
      // A replica may not know yet what was settled: transactions read the primary.
      isMore = await queueChanges(this.#deps, await storage.write(activeWebhooks))
      const due = await storage.write((tx) => this.#due(tx))
      if (!signal.aborted) for (const { hook, deliveries } of due) this.#start(hook, deliveries, signal)
    }
    await this.#prune(signal)
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#count > 0) await Promise.all([...this.#underWay.values()].flatMap((own) => [...own.values()]))
  }

  /** What may be started now: due work and not under way, as far as there is room. */
  async #due(tx: Transaction): Promise<Due[]> {
    const at = utcFromMillis(this.#deps.now())
    const found: Due[] = []
    let free = UNDER_WAY.all - this.#count
    const hooks = await activeWebhooks(tx)
    // Another one is the first each time, so that none goes without.
    this.#turn = (this.#turn + 1) % Math.max(hooks.length, 1)
    for (const hook of [...hooks.slice(this.#turn), ...hooks.slice(0, this.#turn)]) {
      const busy = new Set(this.#underWay.get(hook.id)?.keys())
      const most = hook.failures >= AWAY ? UNDER_WAY.away : UNDER_WAY.each
      const room = Math.min(most - busy.size, free)
      if (room <= 0) continue
      // What is under way is due as well.
      const due = await dueDeliveries(tx, hook.id, { at, limit: room + busy.size })
      const deliveries = due.filter(({ id }) => !busy.has(id)).slice(0, room)
      free -= deliveries.length
      found.push({ hook, deliveries })
    }
    return found
  }

  #start(hook: WebhookTable, deliveries: readonly WebhookDeliveryTable[], signal: AbortSignal): void {
    for (const delivery of deliveries) {
      const own = this.#underWay.get(hook.id) ?? new Map<number, Promise<void>>()
      this.#underWay.set(hook.id, own)
      this.#count += 1
      own.set(delivery.id, this.#deliver(hook, delivery, signal))
    }
  }

  /** Never rejects: nobody waits for it. */
  async #deliver(hook: WebhookTable, delivery: WebhookDeliveryTable, signal: AbortSignal): Promise<void> {
    const { gate, now, report } = this.#deps
    try {
      const made = await this.#make(hook, delivery)
      const outcome = made.ok ? await attempt({ gate, now: now(), signal }, hook, { delivery, ...made }) : made.outcome
      // What was broken off is sent again, by whichever process does it from now on.
      if (!signal.aborted) await this.#record(delivery, outcome, signal)
      this.#ended(hook.id, delivery.id)
      this.work.wake()
    } catch (error) {
      // The next round tries again.
      this.#ended(hook.id, delivery.id)
      if (!signal.aborted) report(error, 'sending a webhook delivery')
    }
  }

  /** The body of a delivery, or the result of one that cannot be created; throws if the database is unavailable. */
  async #make(hook: WebhookTable, delivery: WebhookDeliveryTable): Promise<Made> {
    try {
      return { ok: true, body: await bodyOf(this.#deps, hook, delivery) }
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (mayWorkLater(error)) return { ok: false, outcome: TOO_BUSY }
      this.#deps.report(error, 'creating a webhook delivery')
      return { ok: false, outcome: UNMADE }
    }
  }

  /** While nothing can be stored, nothing is sent again. */
  async #record(delivery: WebhookDeliveryTable, outcome: AttemptOutcome, signal: AbortSignal): Promise<void> {
    const { storage, now, report } = this.#deps
    const at = now()
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        return await storage.write((tx) => recordAttempt(tx, delivery, { outcome, now: at }))
      } catch (error) {
        if (isFirst) report(error, 'recording a webhook delivery')
        await rest(LOOK, signal)
      }
    }
  }

  #ended(hook: number, delivery: number): void {
    const own = this.#underWay.get(hook)
    own?.delete(delivery)
    if (own?.size === 0) this.#underWay.delete(hook)
    this.#count -= 1
  }

  async #prune(signal: AbortSignal): Promise<void> {
    const { storage, now } = this.#deps
    if (now() - this.#lookedAt < FORGET) return
    const began = now()
    if (!(await pruneLog(storage, began, signal))) this.#lookedAt = began
  }
}
