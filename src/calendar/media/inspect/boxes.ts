import { CHUNK_LIMIT } from './outline.ts'

/** A box of an ISO base media file: where its content lies. */
export interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Thrown by `boxesIn`; `outlineAvif` turns it into its refusal. */
export class BoxFault extends Error {
  readonly refusal: 'not_picture' | 'too_complex'

  constructor(refusal: 'not_picture' | 'too_complex') {
    super(refusal)
    this.refusal = refusal
  }
}

/** Reads the boxes of one file and counts them, so that no nesting can make it look at more than the limit. */
export class BoxReader {
  readonly bytes: Buffer
  #count = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** The boxes that lie side by side in a range. @throws BoxFault when one reaches beyond it, or there are too many */
  boxesIn(start: number, end: number): Box[] {
    const boxes: Box[] = []
    for (let at = start; at + 8 <= end; ) {
      this.#count += 1
      if (this.#count > CHUNK_LIMIT) throw new BoxFault('too_complex')
      const { head, size } = this.#sizeAt(at, end)
      if (size < head || at + size > end) throw new BoxFault('not_picture')
      boxes.push({ type: this.bytes.toString('latin1', at + 4, at + 8), start: at + head, end: at + size })
      at += size
    }
    return boxes
  }

  /** Content of all boxes that a path of types leads to; a number skips bytes before the children of the box before it. */
  find(box: Pick<Box, 'start' | 'end'>, path: readonly (readonly [type: string, skip: number])[]): Box[] {
    let found: Pick<Box, 'start' | 'end'>[] = [box]
    let named: Box[] = []
    for (const [type, skip] of path) {
      named = found.flatMap(({ start, end }) => this.boxesIn(start, end)).filter((one) => one.type === type)
      found = named.map(({ start, end }) => ({ start: Math.min(start + skip, end), end }))
    }
    return named
  }

  /** An unsigned number of some bytes. @throws BoxFault behind the end of the box */
  number({ start, end }: Pick<Box, 'start' | 'end'>, offset: number, size: 1 | 2 | 3 | 4): number {
    if (start + offset + size > end) throw new BoxFault('not_picture')
    return this.bytes.readUIntBE(start + offset, size)
  }

  #sizeAt(at: number, end: number): { head: number; size: number } {
    const size = this.bytes.readUInt32BE(at)
    if (size === 0) return { head: 8, size: end - at }
    if (size !== 1) return { head: 8, size }
    if (at + 16 > end) throw new BoxFault('not_picture')
    return { head: 16, size: Number(this.bytes.readBigUInt64BE(at + 8)) }
  }
}
