import { deserialize, serialize } from 'node:v8'

/** Bytes before the content of a frame, which say how long that is. */
export const HEADER_SIZE = 4

/** A value as it crosses to another process of this program: its length, then its structured clone. */
export function frameOf(value: unknown): Buffer {
  const content = serialize(value)
  const frame = Buffer.allocUnsafe(HEADER_SIZE + content.length)
  frame.writeUInt32LE(content.length)
  frame.set(content, HEADER_SIZE)
  return frame
}

/** Bytes of the content behind a header. */
export function lengthIn(header: Buffer): number {
  return header.readUInt32LE()
}

/** The value of a content without its header. */
export function contentOf(content: Buffer): unknown {
  return deserialize(content)
}

/** Puts frames together from the pieces in which they arrive. */
export class FrameReader {
  #pieces: Buffer[] = []
  #size = 0

  /** Adds what has arrived; returns the values that are complete now. */
  take(piece: Buffer): unknown[] {
    this.#pieces.push(piece)
    this.#size += piece.length
    const values: unknown[] = []
    for (let need = this.#need(); this.#size >= need; need = this.#need()) {
      const all = this.#joined()
      values.push(contentOf(all.subarray(HEADER_SIZE, need)))
      this.#pieces = [all.subarray(need)]
      this.#size -= need
    }
    return values
  }

  /** Bytes of the frame that is arriving. */
  #need(): number {
    if (this.#size < HEADER_SIZE) return HEADER_SIZE
    const [first] = this.#pieces
    const head = first !== undefined && first.length >= HEADER_SIZE ? first : this.#joined()
    return HEADER_SIZE + lengthIn(head)
  }

  #joined(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)]
    return this.#pieces[0] ?? Buffer.alloc(0)
  }
}
