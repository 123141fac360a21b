import type { Duplex } from 'node:stream'
import type { Client } from 'pg'

/** Milliseconds that closing a connection may take: the server may have vanished. */
export const CLOSE_TIMEOUT = 1000

/** The driver's internals of a connection: the stream of its bytes. */
interface Driven {
  readonly connection: { readonly stream: Duplex }
}

/** Closes a connection; the driver alone would wait for a silent server for ever. Never rejects. */
export async function closeQuietly(client: Client): Promise<void> {
  const { stream } = (client as unknown as Driven).connection
  const timer = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
