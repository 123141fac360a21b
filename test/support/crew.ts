import { setTimeout as sleep } from 'node:timers/promises'
import { type Arrived, administratorOf, ask } from './processes.ts'
import { type ServerProcess, startServer, UNLIMITED } from './server.ts'
import { TEST_ENGINE } from './test-engine.ts'

/** Servers on one calendar, of which one is killed again and again; on PostgreSQL another one continues beside it. */
export interface Crew {
  /** Credentials of an administrator. */
  readonly authorization: string
  /** Kills so far. */
  kills(): number
  /** Resolves when the next one has been killed. */
  nextKill(): Promise<void>
  /** Sends a request to some server; undefined when no answer came. `patience` in milliseconds ends it from outside. */
  send(path: string, init: RequestInit, patience?: number): Promise<Arrived | undefined>
  /** Kills and starts servers until nobody wants more, each after living a random part of a second (or `life` ms). */
  killWhile(goesOn: () => boolean, life?: number): Promise<void>
  /** Kills all servers: a connection on which a client gave up before it asked would hold up an orderly end. */
  stop(): Promise<void>
}

/** Starts the servers on a data folder. */
export async function startCrew(data: string): Promise<Crew> {
  const first = await startServer(data, UNLIMITED)
  const authorization = administratorOf(first)
  const freshness = TEST_ENGINE === 'postgres' ? [await startServer(data, UNLIMITED)] : []
  let mortal: ServerProcess | undefined = first
  let kills = 0
  let killed = Promise.withResolvers<void>()
  const alive = (): readonly ServerProcess[] => (mortal === undefined ? freshness : [...freshness, mortal])
  return {
    authorization,
    kills: () => kills,
    nextKill: () => killed.promise,
    send: async (path, init, patience) => {
      const servers = alive()
      const server = servers[Math.floor(Math.random() * servers.length)]
      if (server === undefined) return void (await sleep(20))
      const headers = { ...init.headers, authorization, 'content-type': 'application/json' }
      const url = `${server.origin}/cal/events/v1${path}`
      if (patience === undefined) return ask(url, { ...init, headers })
      // The client gives up; the server may continue.
      return fetch(url, { ...init, headers, signal: AbortSignal.timeout(patience) }).then(
        async (answer) => ({
          status: answer.status,
          headers: answer.headers,
          body: (await answer.json()) as Arrived['body'],
        }),
        () => undefined,
      )
    },
    killWhile: async (goesOn, life = 400) => {
      while (goesOn()) {
        await sleep(50 + Math.random() * life)
        const victim = mortal
        mortal = undefined
        await victim?.stop('SIGKILL')
        kills += 1
        killed.resolve()
        killed = Promise.withResolvers<void>()
        mortal = await startServer(data, UNLIMITED)
      }
    },
    stop: async () => {
      for (const server of alive()) await server.stop('SIGKILL')
    },
  }
}
