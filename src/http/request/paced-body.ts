import type { IncomingMessage } from 'node:http'
import { openAdmissionQueue } from './admission-queue.ts'

/**
 * All bodies that come in several pieces, whether they are kept or discarded. They wait while connections are accepted: behind
 * hundreds of somebody else, each with a body, a visitor would wait for as many turns in which bodies are read.
 */
const line = openAdmissionQueue({ acceptingTurns: 64 })

/**
 * Has the rest of a body come piece by piece, a few pieces of all bodies in each turn of the event loop: from hundreds of
 * connections that send at once, Node would read up to two megabytes each in every turn. To be called before the body is
 * read; what it returns, once at the beginning and after each piece. Until the turn of the next one the socket is paused
 * rather than the request, so that unread bytes stay in the buffers of the system and none are queued here.
 * @param client as `clientKey` names it: clients take turns
 */
export function paceBody(request: IncomingMessage, client: string): () => void {
  const { socket } = request
  // A request that has room asks for more, which would resume the socket at once.
  request._read = () => undefined
  // One that sends chunks of a byte has thousands of them in what is read at once.
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    socket.pause()
    line(() => {
      isWaiting = false
      socket.resume()
    }, client)
  }
}
