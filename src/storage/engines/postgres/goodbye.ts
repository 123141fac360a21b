import type { Duplex } from 'node:stream'
import type { Client } from 'pg'

/** Milliseconds for which the farewell of a server is waited for, which may have vanished. */
export const GOODBYE = 1000

/** What the driver keeps of a connection: what its bytes go through. */
interface Driven {
  readonly connection: { readonly stream: Duplex }
}

/** Ends a connection; the driver alone would wait for a silent server for ever. Never rejects. */
export async function sayGoodbye(client: Client): Promise<void> {
  const { stream } = (client as unknown as Driven).connection
  const timer = setTimeout(() => stream.destroy(), GOODBYE)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
