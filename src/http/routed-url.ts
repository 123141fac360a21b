import type { IncomingMessage } from 'node:http'
import { mounts, overrideMethod } from './arrival.ts'
import { adoptHost } from './host.ts'
import { type MountOptions, readTarget } from './mount.ts'

/** The address of a request for the router; what else it says of the request is remembered. */
export function routedUrl(request: IncomingMessage, names: MountOptions): string {
  const { url: sent = '/' } = request
  adoptHost(request, sent)
  const { url, mount } = readTarget(sent, names)
  if (mount !== undefined) mounts.set(request, mount)
  overrideMethod(request, url)
  return url
}
