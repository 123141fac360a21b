import { fail } from '../base/errors.ts'

/** Where something is to listen, and the option that says so. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly option: string
}

/** What `listen` returns. @throws port_in_use, cannot_listen for system errors of the socket */
export async function listenAt<Result>(
  { host, port, option }: ListenAddress,
  listen: () => Promise<Result>,
): Promise<Result> {
  try {
    return await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw fail('port_in_use', { host, port, option })
    if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) throw error
    throw fail('cannot_listen', { host, port, reason: code })
  }
}
