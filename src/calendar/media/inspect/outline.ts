/** What the headers of an image file claim, and which bytes of it are worth decoding. */
export interface Outline {
  /** Pixels; of the whole canvas when frames cover parts of it. */
  readonly width: number
  readonly height: number
  /** At least 1. */
  readonly frames: number
  /** All that is to be decoded; `width * height * frames` when it is absent. */
  readonly pixels?: number
  /** Whether the data is too short to hold the pixels: then the dimensions are a lie. */
  readonly isHollow?: boolean
  /** The file without what no decoder needs, in order; what was left out is never decoded. */
  readonly parts: readonly Uint8Array[]
}

/** Why a file is refused by its headers: broken, or with more parts than any image needs. */
export type OutlineRefusal = 'not_picture' | 'too_complex'

/** Reads the headers of one format in one pass over the file, without decoding anything. */
export type Outliner = (bytes: Buffer) => Outline | OutlineRefusal

/** Most chunks, segments, blocks or boxes of a file. Large photographs have a few thousand. */
export const CHUNK_LIMIT = 20_000

/** Most bytes of colour profiles and camera data in a file; profiles of printers have up to three megabytes. */
export const METADATA_LIMIT = 4 * 1024 * 1024

/** Collects the ranges of a file that are kept; neighbouring ones become one part. */
export class Parts {
  readonly #bytes: Buffer
  readonly #parts: Uint8Array[] = []
  #start = 0
  #end = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Keeps the bytes from `start` up to `end`; ranges come in order. */
  keep(start: number, end: number): void {
    if (start !== this.#end) {
      this.#flush()
      this.#start = start
    }
    this.#end = end
  }

  /** Everything that was kept. */
  all(): Uint8Array[] {
    this.#flush()
    this.#start = this.#end
    return this.#parts
  }

  #flush(): void {
    if (this.#end > this.#start) this.#parts.push(this.#bytes.subarray(this.#start, this.#end))
  }
}
