import type { IncomingMessage } from 'node:http'
import type { LogInWatch } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { type Failure, fail } from '../errors.ts'
import type { Budget, Draw } from '../limits/budget.ts'
import { type LimitFields, limitFields } from '../limits/fields.ts'
import type { PasswordTries } from '../limits/guesses.ts'
import type { Limits } from '../limits/open.ts'
import { methodSent } from './arrival.ts'
import { clientKey } from './client-key.ts'
import { addressOf, clientAddress, type Networks, networksOf } from './client-of.ts'
import { isHandedOver, isWrite } from './hand-over.ts'
import { requestIdOf } from './request-id.ts'

/** What is known of who sent a request. */
interface Client {
  /** Undefined where the address says nothing: that of a proxy which names nobody. */
  readonly key: string | undefined
  /** What was drawn for the request. */
  readonly draws: Draw[]
}

/** Where a request holds its client: a WeakMap of all requests costs the garbage collector more than all else here. */
const CLIENT = Symbol('client')

type Counted = IncomingMessage & { [CLIENT]?: Client }

function clientOn(request: Counted): Client | undefined {
  return request[CLIENT]
}

/** What a call asks of budgets beside that of its address. */
export interface Asked {
  readonly caller: Caller
  readonly isCostly: boolean
}

/**
 * Counts requests in the budgets of their clients: one for the address, and one for the user of those with credentials. What
 * is answered from the cache never comes here.
 */
export class ClientLimits {
  readonly #limits: Limits
  readonly #proxies: Networks

  /** @param trustedProxies addresses and networks as they are configured */
  constructor(limits: Limits, trustedProxies: readonly string[]) {
    this.#limits = limits
    this.#proxies = networksOf(trustedProxies)
  }

  /**
   * Counts a request for its address, once. Undefined where nothing has to be waited for. @throws rest_too_many_requests
   */
  admit(request: IncomingMessage): Promise<void> | undefined {
    if (clientOn(request) !== undefined) return undefined
    const client = this.#enter(request)
    // The process that handed it over has counted it.
    if (client.key === undefined || isHandedOver(request)) return undefined
    return draw(client, this.#budgetOf(request), client.key)
  }

  /** Knows the client of a request that is not counted. */
  pass(request: IncomingMessage): void {
    this.#enter(request)
  }

  /** Counts a call for its user, and as one of those that take long. @throws rest_too_many_requests */
  ask(request: IncomingMessage, { caller, isCostly }: Asked): Promise<void> | undefined {
    const client = clientOn(request)
    if (client === undefined || (caller.id === 0 && !isCostly)) return undefined
    return this.#askAll(request, client, { caller, isCostly })
  }

  /** Header fields that say what is left of what was drawn. */
  fieldsOf(request: IncomingMessage): LimitFields {
    return limitFields(clientOn(request)?.draws ?? [])
  }

  /** Watches over the credentials of a request, and tells the log where they are wrong. */
  watch(request: IncomingMessage): LogInWatch {
    const { logIns } = this.#limits
    const client = clientOn(request)
    return {
      begin: async (login, proof) => {
        const attempt =
          client && (await logIns?.begin({ client: client.key, login, proof }, (drawn) => client.draws.push(drawn)))
        const failed = (): Promise<void> => {
          this.#noteFailed(request, login)
          return attempt?.failed() ?? Promise.resolve()
        }
        return { succeeded: () => attempt?.succeeded(), gaveUp: () => attempt?.gaveUp(), failed }
      },
    }
  }

  #noteFailed(request: IncomingMessage, login: string): void {
    const address = clientAddress(request, this.#proxies)
    this.#limits.failures.note({ address, login, requestId: requestIdOf(request) })
  }

  /** Watches over the event passwords that a request tries. */
  triesOf(request: IncomingMessage): PasswordTries | undefined {
    const { guesses } = this.#limits
    const client = clientOn(request)
    if (guesses === undefined || client?.key === undefined) return undefined
    const { key } = client
    return {
      begin: (eventId, password) =>
        guesses.begin({ client: key, eventId, password }, (drawn) => client.draws.push(drawn)),
      refusal: () => {
        const refused = client.draws.findLast(({ isRefused }) => isRefused)
        return refused && refusal(refused)
      },
    }
  }

  #enter(request: IncomingMessage): Client {
    const address = addressOf(request, this.#proxies)
    const client: Client = { key: this.#proxies.has(address) ? undefined : clientKey(address), draws: [] }
    ;(request as Counted)[CLIENT] = client
    return client
  }

  #budgetOf(request: IncomingMessage): Budget | undefined {
    return isWrite(methodSent(request)) ? this.#limits.writes : this.#limits.reads
  }

  async #askAll(request: IncomingMessage, client: Client, { caller, isCostly }: Asked): Promise<void> {
    const user = caller.id === 0 ? undefined : `user ${caller.id}`
    const { costlyReads } = this.#limits
    await draw(client, this.#budgetOf(request), user)
    if (!isCostly) return
    await draw(client, costlyReads, client.key)
    await draw(client, costlyReads, user)
  }
}

/** Undefined where nothing has to be waited for. @throws rest_too_many_requests */
function draw(client: Client, budget: Budget | undefined, key: string | undefined): Promise<void> | undefined {
  if (budget === undefined || key === undefined) return undefined
  const drawn = budget.draw(key)
  if (drawn instanceof Promise) return drawn.then((later) => note(client, later))
  note(client, drawn)
  return undefined
}

function note({ draws }: Client, drawn: Draw): void {
  draws.push(drawn)
  if (drawn.isRefused) throw refusal(drawn)
}

function refusal({ seconds }: Draw): Failure {
  return fail('rest_too_many_requests', { seconds })
}
