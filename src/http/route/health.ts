import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, fail } from '../../base/errors.ts'
import { elapsedSince } from '../../base/time/elapsed.ts'
import { OWN_NAMESPACE } from '../namespace.ts'
import { HEALTH } from '../openapi/service-schemas.ts'
import { type AnyRoute, route } from '../route.ts'

/** What health is judged by. */
export interface HealthDeps {
  /** A query that costs next to nothing; rejects when there is no response. */
  ask(): Promise<unknown>
  /**
   * Why writes are refused although the database responds; called each time, so it is cheap. Default: nothing is known.
   */
  trouble?(): Failure | undefined
  /** Unix milliseconds. */
  now(): number
  /** Longest wait for the database in milliseconds; default 2,000, less than clients usually wait. */
  readonly patience?: number
}

/** How long a response of the database is reused, milliseconds. */
const STANDS = 1000

const PATH = '/health'

/** Part of every address of health, whatever the mount. */
export const HEALTH_ADDRESS = `/${OWN_NAMESPACE}${PATH}`

/** Whether this process answers from its database and may write to it, for those who decide where requests go. */
export class Health {
  readonly #deps: HealthDeps
  #isDraining = false
  /** The last question; `at` is when it was answered, undefined until then. */
  #last: { at: number | undefined; readonly responded: Promise<boolean> } | undefined

  constructor(deps: HealthDeps) {
    this.#deps = deps
  }

  /** From now on nothing should be sent here: the process is about to end. */
  drain(): void {
    this.#isDraining = true
  }

  /**
   * Checks the database, at most once a second however many requests there are.
   * @throws rest_unavailable, and what keeps it from writing
   */
  async check(): Promise<void> {
    if (this.#isDraining) throw fail('rest_unavailable')
    const isWell = await this.#question()
    if (!isWell || this.#isDraining) throw fail('rest_unavailable')
    const trouble = this.#deps.trouble?.()
    if (trouble) throw trouble
  }

  #question(): Promise<boolean> {
    if (this.#last !== undefined && this.#stands(this.#last.at)) return this.#last.responded
    const asked = { at: undefined as number | undefined, responded: this.#ask() }
    void asked.responded.then(() => {
      asked.at = this.#deps.now()
    })
    this.#last = asked
    return asked.responded
  }

  #stands(at: number | undefined): boolean {
    return at === undefined || elapsedSince(at, this.#deps.now()) < STANDS
  }

  /** A late response counts as none, and is not waited for: the next check may find a new connection. */
  #ask(): Promise<boolean> {
    const { ask, patience = 2000 } = this.#deps
    const isOver = new AbortController()
    const late = sleep(patience, false, { signal: isOver.signal }).catch(() => false)
    const responded = ask().then(
      () => true,
      () => false,
    )
    return Promise.race([responded, late]).finally(() => isOver.abort())
  }
}

/** The health route: 200 from a process that can be used, otherwise an error. Neither is cached. */
export function healthRoute(health: Health): AnyRoute {
  return route({
    method: 'GET',
    path: PATH,
    operation: 'getHealth',
    summary: 'api.checkWhetherServerReady',
    description: 'api.loadBalancersMonitoringSucceeds',
    pathFields: [],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    response: { status: 200, schema: HEALTH },
    errors: ['rest_disk_full'],
    scope: 'read',
    open: () => true,
    handle: async () => {
      await health.check()
      return { status: 200, body: { status: 'ok' }, headers: { 'cache-control': 'no-store' } }
    },
  })
}
