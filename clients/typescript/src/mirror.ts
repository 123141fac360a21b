import type { Client, MirrorOptions, Store } from './types.ts'

/** Keeps a copy of the calendar in `store`. */
export async function mirrorInto(client: Client, store: Store, options: MirrorOptions): Promise<void> {
  throw new Error(`not there yet: ${typeof client} ${typeof store} ${typeof options}`)
}
