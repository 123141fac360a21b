import { fail } from '../../base/errors.ts'
import { boundedQueue } from './bounded-queue.ts'
import type { Message } from './decoder-channel.ts'
import { DecoderChild, DecoderEnded, type DecoderLimits } from './decoder-child.ts'
import type { DecoderReply } from './decoder-process.ts'
import type { Developing, ImageFile } from './develop.ts'
import { formatOf } from './format.ts'

/** Dependencies of a decoder. */
export interface DecoderDeps {
  /** Most bytes of an image as it is sent or fetched. */
  readonly limit: number
  /** Most resident memory of the process that decodes, in bytes. */
  readonly memory: number
  /** Most processor time for one image, in milliseconds; 20 seconds by default. */
  readonly cpu?: number
  /** Takes what keeps the process from starting. */
  report(error: unknown): void
}

/** Makes stored images of files, in a process of its own. */
export interface Decoder {
  /** What becomes of a file. @throws rest_unavailable when too many wait, or the process cannot be started */
  develop(bytes: Buffer): Promise<Developing>
  /** The process that is running; undefined when none is. */
  pid(): number | undefined
  /** Ends the process, also in the middle of an image. */
  close(): void
}

/** For one image: the largest photographs that the memory allows take ten seconds of a processor. */
const CPU = 20_000

/** For one image on a machine that is busy with other things. */
const PATIENCE = 120_000

/** Images that wait, and the longest time of that: clients should send theirs again rather than have them held. */
const QUEUE = { places: 1, waiting: 16, weight: 32 * 1024 ** 2, patience: 30_000 } as const

/** How long an idle process is kept, in milliseconds: starting one takes longer than a small image. */
const KEPT = 3_000

/** A process that has become this large or has used so much processor time gives way to a new one; bytes, milliseconds. */
const WORN = { rss: 160 * 1024 ** 2, cpu: 120_000 } as const

/** Opens a decoder; one for each server. Its process is started by the first image and ends when none comes for a while. */
export function openDecoder({ limit, memory, cpu = CPU, report }: DecoderDeps): Decoder {
  const limits: DecoderLimits = { memory, cpu, patience: PATIENCE, bytes: Math.max(4 * limit, 64 * 1024 ** 2) }
  const inTurn = boundedQueue(QUEUE)
  let child: DecoderChild | undefined
  let resting: NodeJS.Timeout | undefined
  const end = (): void => {
    clearTimeout(resting)
    child?.kill()
    child = undefined
  }
  const started = async (): Promise<DecoderChild> => {
    clearTimeout(resting)
    if (child?.pid !== undefined) return child
    const fresh = new DecoderChild(limits)
    child = fresh
    try {
      await fresh.ready()
      return fresh
    } catch (error) {
      end()
      report(error)
      throw fail('rest_unavailable')
    }
  }
  const decode = async (bytes: Buffer): Promise<Developing> => {
    const one = await started()
    try {
      const message = await one.ask(bytes).catch(async (error: unknown) => {
        if (isOthersFault(error, one)) return (await started()).ask(bytes)
        throw error
      })
      const { made, use } = message.head
      if (use.rss > WORN.rss || use.cpu > WORN.cpu) end()
      return made.ok ? { ok: true, picture: { ...made.picture, files: filesOf(message) } } : made
    } catch (error) {
      if (!(error instanceof DecoderEnded)) throw error
      // It ended itself because of the image, unless the machine was too busy for it.
      if (error.isLate) throw fail('rest_unavailable')
      return { ok: false, reason: 'too_complex' }
    } finally {
      resting = setTimeout(end, KEPT).unref()
    }
  }
  return {
    develop: async (bytes) => {
      if (formatOf(bytes) === undefined) return { ok: false, reason: 'not_picture' }
      return inTurn(bytes.length, () => decode(bytes))
    },
    pid: () => child?.pid,
    close: end,
  }
}

/** Whether a process may have ended because of what other images had left in its memory. */
function isOthersFault(error: unknown, { asked }: DecoderChild): boolean {
  return error instanceof DecoderEnded && asked > 1 && !error.isLate && !error.isSpent
}

function filesOf({ head, body }: Message<DecoderReply>): ImageFile[] {
  let at = 0
  return head.files.map(({ name, length }) => {
    at += length
    return { name, bytes: body.subarray(at - length, at) }
  })
}
