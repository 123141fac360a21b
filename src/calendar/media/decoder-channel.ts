import type { Writable } from 'node:stream'
import { storedJson } from '../../base/text/stored-json.ts'

/** The signal by which the process that decodes ends itself, or the system ends it, when its time of the processor is used up. */
export const SPENT = 'SIGXCPU'

/** A message between the server and its decoder: a small JSON head and bytes that are not copied into it. */
export interface Message<Head> {
  readonly head: Head
  readonly body: Buffer
}

/** Lengths of head and body before each message, four bytes each. */
const PREFIX = 8

/** Sends a message; the parts become its body, one behind the other. */
export function sendMessage(stream: Writable, head: unknown, parts: readonly Uint8Array[]): void {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeUInt32LE(text.length, 0)
  prefix.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  )
  stream.write(Buffer.concat([prefix, text]))
  for (const part of parts) stream.write(part)
}

/** Puts messages together from what arrives. */
export class MessageReader<Head> {
  readonly #limit: number
  #chunks: Buffer[] = []
  #length = 0
  #wanted = PREFIX

  /** `limit`: most bytes of a message. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The message that these bytes complete; undefined while it is under way. @throws Error when it is over the limit */
  push(chunk: Buffer): Message<Head> | undefined {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#wanted) return undefined
    const bytes = Buffer.concat(this.#chunks)
    const [head, body] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
    this.#wanted = PREFIX + head + body
    if (this.#wanted > this.#limit) throw new Error(`a message of ${this.#wanted} bytes`)
    this.#chunks = [bytes]
    if (bytes.length < this.#wanted) return undefined
    // One side waits for the response of the other, so nothing of a next message is here yet.
    this.#chunks = []
    this.#length = 0
    this.#wanted = PREFIX
    const text = bytes.toString('utf8', PREFIX, PREFIX + head)
    return { head: storedJson<Head>(text), body: bytes.subarray(PREFIX + head, PREFIX + head + body) }
  }
}
