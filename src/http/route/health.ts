import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, fail } from '../../errors.ts'
import { ageOf } from '../../time/age.ts'
import { HEALTH } from '../openapi/service-schemas.ts'
import { type AnyRoute, route } from '../route.ts'
import { OWN_NAMESPACE } from '../space.ts'

/** What health is judged by. */
export interface HealthParts {
  /** Asks the database something that costs next to nothing; rejects when there is no answer. */
  ask(): Promise<unknown>
  /** Why writes are refused, although the database answers; asked each time, so it is cheap. Default: nothing is known. */
  trouble?(): Failure | undefined
  /** Unix milliseconds. */
  now(): number
  /** Longest wait for the database in milliseconds; default 2,000, less than who asks usually waits. */
  readonly patience?: number
}

/** How long an answer of the database stands for the next ones, milliseconds. */
const STANDS = 1000

const PATH = '/health'

/** Part of every address of health, whatever the mount. */
export const HEALTH_ADDRESS = `/${OWN_NAMESPACE}${PATH}`

/** Whether this process answers from its database and may write to it, for those who decide where requests go. */
export class Health {
  readonly #parts: HealthParts
  #isDraining = false
  /** The last question; `at` is when it was answered, undefined until then. */
  #last: { at: number | undefined; readonly answered: Promise<boolean> } | undefined

  constructor(parts: HealthParts) {
    this.#parts = parts
  }

  /** From now on nobody should send anything here: the process ends soon. */
  drain(): void {
    this.#isDraining = true
  }

  /**
   * Asks the database, at most once a second however many ask.
   * @throws rest_unavailable, and what keeps it from writing
   */
  async check(): Promise<void> {
    if (this.#isDraining) throw fail('rest_unavailable')
    const isWell = await this.#question()
    if (!isWell || this.#isDraining) throw fail('rest_unavailable')
    const trouble = this.#parts.trouble?.()
    if (trouble) throw trouble
  }

  #question(): Promise<boolean> {
    if (this.#last !== undefined && this.#stands(this.#last.at)) return this.#last.answered
    const asked = { at: undefined as number | undefined, answered: this.#ask() }
    void asked.answered.then(() => {
      asked.at = this.#parts.now()
    })
    this.#last = asked
    return asked.answered
  }

  #stands(at: number | undefined): boolean {
    return at === undefined || ageOf(at, this.#parts.now()) < STANDS
  }

  /** What comes too late counts as no answer, and nobody waits for it: the next one who asks may find a new connection. */
  #ask(): Promise<boolean> {
    const { ask, patience = 2000 } = this.#parts
    const isOver = new AbortController()
    const late = sleep(patience, false, { signal: isOver.signal }).catch(() => false)
    const answered = ask().then(
      () => true,
      () => false,
    )
    return Promise.race([answered, late]).finally(() => isOver.abort())
  }
}

/** The route of health: 200 from a process that can be used, and otherwise an error. Nobody keeps either. */
export function healthRoute(health: Health): AnyRoute {
  return route({
    method: 'GET',
    path: PATH,
    operation: 'getHealth',
    summary: 'Tell whether the server can answer',
    description:
      'Made for load balancers and monitoring: succeeds while the server reaches its database and is not shutting down.',
    pathFields: [],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    answer: { status: 200, schema: HEALTH },
    errors: ['rest_data_missing', 'rest_disk_full'],
    open: () => true,
    handle: async () => {
      await health.check()
      return { status: 200, body: { status: 'ok' }, headers: { 'cache-control': 'no-store' } }
    },
  })
}
