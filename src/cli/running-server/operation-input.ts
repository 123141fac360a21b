import { fail } from '../../base/errors.ts'

/** A file of an input. */
interface InputFile {
  readonly bytes: Uint8Array
}

/** A file in the first line, whose bytes follow. */
interface AnnouncedFile {
  readonly size: number
}

/**
 * The input of an operation as it goes through the socket: a line of JSON, then the bytes of its `files`, one after the
 * other. They are no part of the JSON, so that the server takes them in as they come and never holds up others by
 * parsing them.
 */
export function inputPieces(input: unknown): (string | Uint8Array)[] {
  const files = filesIn(input).filter(hasBytes)
  if (files.length === 0) return [`${JSON.stringify(input)}\n`]
  const announced = files.map(({ bytes, ...facts }) => ({ ...facts, size: bytes.length }))
  return [`${JSON.stringify({ ...(input as object), files: announced })}\n`, ...files.map(({ bytes }) => bytes)]
}

function filesIn(input: unknown): readonly unknown[] {
  const { files } = (input ?? {}) as { readonly files?: unknown }
  return Array.isArray(files) ? files : []
}

function hasBytes(file: unknown): file is InputFile {
  return (file as Partial<InputFile> | null)?.bytes instanceof Uint8Array
}

/** Reads what `inputPieces` has written. @throws SyntaxError, unexpected for fewer bytes or more than were announced */
export async function readInput(pieces: AsyncIterable<Uint8Array>): Promise<unknown> {
  const line: Uint8Array[] = []
  let input: unknown
  let room: Room | undefined
  for await (const piece of pieces) {
    if (room !== undefined) {
      room.take(piece)
      continue
    }
    const end = piece.indexOf(LINE_END)
    line.push(end < 0 ? piece : piece.subarray(0, end))
    if (end < 0) continue
    input = JSON.parse(Buffer.concat(line).toString())
    room = new Room(filesIn(input).flatMap(sizeOf))
    room.take(piece.subarray(end + 1))
  }
  if (room === undefined) throw fail('unexpected', { reason: 'the input of an operation was cut off' })
  const files = room.files()
  if (files.length === 0) return input
  const announced = filesIn(input) as readonly AnnouncedFile[]
  const whole = announced.map(({ size: _, ...facts }, index) => ({ ...facts, bytes: files[index] }))
  return { ...(input as object), files: whole }
}

function sizeOf(file: unknown): number[] {
  const { size } = (file ?? {}) as Partial<AnnouncedFile>
  return typeof size === 'number' ? [size] : []
}

const LINE_END = 0x0a

/** Takes the bytes of files in, which have their places from the beginning. */
class Room {
  readonly #files: readonly Buffer[]
  #at = 0
  #filled = 0

  constructor(sizes: readonly number[]) {
    this.#files = sizes.map((size) => Buffer.allocUnsafeSlow(size))
    this.#pass()
  }

  take(piece: Uint8Array): void {
    let rest = piece
    while (rest.length > 0) {
      const file = this.#files[this.#at]
      if (file === undefined) throw fail('unexpected', { reason: 'the input of an operation is too long' })
      const part = rest.subarray(0, file.length - this.#filled)
      file.set(part, this.#filled)
      this.#filled += part.length
      rest = rest.subarray(part.length)
      this.#pass()
    }
  }

  /** All files. @throws unexpected unless they are full */
  files(): readonly Buffer[] {
    if (this.#at < this.#files.length) throw fail('unexpected', { reason: 'the input of an operation was cut off' })
    return this.#files
  }

  /** Goes on to the next file that has room. */
  #pass(): void {
    for (let file = this.#files[this.#at]; file?.length === this.#filled; file = this.#files[this.#at]) {
      this.#at += 1
      this.#filled = 0
    }
  }
}
