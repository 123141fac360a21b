import { type Failure, fail } from '../../base/errors.ts'
import type { LogInWatch } from '../auth/authenticate.ts'
import type { Caller } from '../auth/rights.ts'
import type { FormBudget } from '../html-page.ts'
import type { Budget, Draw } from '../limits/budget.ts'
import type { SeenFailure } from '../limits/failure-log.ts'
import type { PasswordTries } from '../limits/guesses.ts'
import type { Limits } from '../limits/open.ts'
import type { ServerRequest } from './server-request.ts'

/** What a call takes from budgets beside that of its address. */
export interface Charge {
  readonly caller: Caller
  readonly isCostly: boolean
}

/** What of a request is charged, and to whom; `draws` collects what was taken. */
export type ChargedRequest = Pick<ServerRequest, 'client' | 'draws' | 'isWrite'>

/** A call of a tool, or a resource that is read, by a program. */
export interface ToolCharge {
  readonly caller: Caller
  /** Whether it changes something. */
  readonly isWrite: boolean
}

/**
 * Counts requests in the budgets of their clients: one for the address, and one for the user of those with credentials.
 * Cached responses are not counted.
 */
export class ClientLimits {
  readonly #limits: Limits

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Counts a request for its address, as a write if it may change something: what pages of other sites make the browser of a
   * visitor send must not use up the visitor's writes.
   * @throws rest_too_many_requests
   */
  admit(request: ChargedRequest, isChange: boolean): void {
    draw(request, isChange ? this.#limits.writes : this.#limits.reads, keyOf(request))
  }

  /** Counts a call for its user, and as an expensive one. @throws rest_too_many_requests */
  ask(request: ChargedRequest, { caller, isCostly }: Charge): void {
    const user = caller.id === 0 ? undefined : `user ${caller.id}`
    draw(request, this.#budgetOf(request), user)
    if (!isCostly) return
    for (const key of [keyOf(request), user]) draw(request, this.#limits.costlyReads, key)
  }

  /** Counts a request as several more, for its address and its user. @throws rest_too_many_requests */
  charge(request: ChargedRequest, { caller, times }: { readonly caller: Caller; readonly times: number }): void {
    const budget = this.#budgetOf(request)
    for (const key of keysOf(request, caller)) draw(request, budget, key, times)
  }

  /**
   * Counts rows that a write changes. More than are left take all of them: a series that is larger than the whole budget can
   * still be written. @throws rest_too_many_requests when nothing is left
   */
  spend(request: ChargedRequest, { caller, rows }: { readonly caller: Caller; readonly rows: number }): void {
    const budget = this.#budgetOf(request)
    for (const key of keysOf(request, caller))
      draw(request, budget, key, Math.max(1, Math.min(rows, budget?.look(key).left ?? 0)))
  }

  /** Counts a call of a tool for its user, or else for its address. @throws rest_too_many_requests */
  callTool(request: ChargedRequest, { caller, isWrite }: ToolCharge): void {
    const key = caller.id === 0 ? keyOf(request) : `user ${caller.id}`
    draw(request, this.#limits.mcp, key)
    if (isWrite) draw(request, this.#limits.mcpWrites, key)
  }

  /** Counts a form of a visitor, whatever becomes of it. @throws rest_too_many_requests */
  sendForm(request: ServerRequest, budget: FormBudget): void {
    draw(request, this.#limits[budget], keyOf(request))
  }

  /** Counts an event that a visitor submits. @throws rest_too_many_requests */
  submit(request: ServerRequest): void {
    draw(request, this.#limits.submissions, keyOf(request))
  }

  /** Header fields that say what is left of the budgets. */
  fieldsOf({ draws }: ServerRequest): LimitFields {
    return limitFields(draws)
  }

  /** The last sign-ins that failed in this process, newest first. */
  get failedLogIns(): readonly SeenFailure[] {
    return this.#limits.failures.recent
  }

  /** Watches the credentials of a request, and logs wrong ones. */
  watch(request: ServerRequest): LogInWatch {
    const { logIns } = this.#limits
    return {
      begin: async (login, proof) => {
        const noteDraw = (drawn: Draw): void => void request.draws.push(drawn)
        const attempt = logIns?.begin({ client: keyOf(request), login, proof }, noteDraw)
        const failed = (): Promise<void> => {
          this.#limits.failures.note({ address: request.client.address, login, requestId: request.id })
          return attempt?.failed() ?? Promise.resolve()
        }
        return { succeeded: () => attempt?.succeeded(), gaveUp: () => attempt?.gaveUp(), failed }
      },
    }
  }

  /** Watches over the event passwords that a request tries. */
  triesOf(request: ServerRequest): PasswordTries | undefined {
    const { guesses } = this.#limits
    const client = keyOf(request)
    if (guesses === undefined || client === undefined) return undefined
    const noteDraw = (drawn: Draw): void => void request.draws.push(drawn)
    return {
      begin: (eventId, password) => guesses.begin({ client, eventId, password }, noteDraw),
      refusal: () => {
        const refused = request.draws.findLast(({ isRefused }) => isRefused)
        return refused && refusal(refused)
      },
    }
  }

  #budgetOf({ isWrite }: ChargedRequest): Budget | undefined {
    return isWrite ? this.#limits.writes : this.#limits.reads
  }
}

/** The address and the user of a request, as far as they are known. */
function keysOf(request: Pick<ServerRequest, 'client'>, { id }: Caller): readonly string[] {
  const key = keyOf(request)
  return [...(key === undefined ? [] : [key]), ...(id === 0 ? [] : [`user ${id}`])]
}

/** Undefined where the address says nothing of the client. */
function keyOf({ client }: Pick<ServerRequest, 'client'>): string | undefined {
  return client.isProxy ? undefined : client.key
}

/** @throws rest_too_many_requests */
// biome-ignore lint/complexity/useMaxParams: who, from what, and how much
function draw(
  { draws }: Pick<ServerRequest, 'draws'>,
  budget: Budget | undefined,
  key: string | undefined,
  count = 1,
): void {
  if (budget === undefined || key === undefined) return
  const drawn = budget.draw(key, count)
  draws.push(drawn)
  if (drawn.isRefused) throw refusal(drawn)
}

function refusal({ seconds }: Draw): Failure {
  return fail('rest_too_many_requests', { seconds })
}

/** The header fields of a response for which something was drawn; `{}` for nothing. */
export type LimitFields = Readonly<Record<string, string>>

const NO_FIELDS: LimitFields = Object.freeze({})

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): of each policy the budget with the least
 * left, where something was drawn from several, such as that of the address and that of the user.
 */
export function limitFields(draws: readonly Draw[]): LimitFields {
  const [first] = draws
  if (first === undefined) return NO_FIELDS
  if (draws.length === 1) return { 'ratelimit-policy': policyItem(first), ratelimit: limitItem(first) }
  const least = new Map<string, Draw>()
  for (const draw of draws) {
    const other = least.get(draw.policy.name)
    if (other === undefined || draw.left < other.left) least.set(draw.policy.name, draw)
  }
  const shown = [...least.values()]
  return { 'ratelimit-policy': shown.map(policyItem).join(', '), ratelimit: shown.map(limitItem).join(', ') }
}

function policyItem({ policy: { name, count, seconds } }: Draw): string {
  return `"${name}";q=${count};w=${seconds}`
}

function limitItem({ policy: { name }, left, seconds }: Draw): string {
  return `"${name}";r=${left};t=${seconds}`
}
