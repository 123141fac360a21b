/**
 * The process in which images are decoded: it reads one after the other from standard input and writes what it made of
 * them to standard output. It has no settings, no secrets and no files, gives way to the server, and ends itself as soon
 * as an image costs too much or the server is gone.
 */
import { setPriority } from 'node:os'
import { MessageReader, SPENT, sendMessage } from './decoder-channel.ts'
import { type Developed, type Developing, developImage, loadSharp } from './develop.ts'

/** What the process says: that it is ready, or what it made of an image; the files are the body, one behind the other. */
export interface DecoderReply {
  readonly made:
    | { readonly ok: true; readonly picture: Omit<Developed, 'files'> }
    | Extract<Developing, { readonly ok: false }>
  readonly files: readonly { readonly name: string; readonly length: number }[]
  /** Resident memory in bytes, and processor time since the start in milliseconds. */
  readonly use: { readonly rss: number; readonly cpu: number }
}

const [memoryLimit = 0, cpuLimit = 0, bytesLimit = 0] = process.argv.slice(2).map(Number)

/** How often memory and time are looked at, in milliseconds: no decoder fills more than some megabytes meanwhile. */
const LOOK = 10

/** Lower than that of the server, higher than that of what only runs when nothing else does. */
const PRIORITY = 10

/** At once, without waiting for threads that are in the middle of an image. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** The same, and reports that its processor time is used up. */
function dieSpent(): void {
  process.kill(process.pid, SPENT)
}

/** Ends the process when the image under way takes too much. */
function watch(): { stop(): void } {
  const began = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1000 > cpuLimit) dieSpent()
    else if (process.memoryUsage.rss() > memoryLimit) die()
  }, LOOK)
  return { stop: () => clearInterval(timer) }
}

function reply(made: Developing): void {
  const files = made.ok ? made.picture.files : []
  const bytes = files.map((file) => file.bytes)
  if (bytes.reduce((sum, one) => sum + one.length, 0) > bytesLimit) {
    reply({ ok: false, reason: 'too_complex' })
    return
  }
  const head: DecoderReply = {
    made: made.ok ? { ok: true, picture: factsOf(made.picture) } : made,
    files: files.map(({ name, bytes: { length } }) => ({ name, length })),
    use: { rss: process.memoryUsage.rss(), cpu: process.cpuUsage().user / 1000 },
  }
  sendMessage(process.stdout, head, bytes)
}

function factsOf({ mime, width, height, sizes }: Developed): Omit<Developed, 'files'> {
  return { mime, width, height, sizes }
}

setPriority(PRIORITY)
// What stops the server lets it finish its requests first; the end of its input stops this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdin.on('end', die).on('error', die).on('close', die)
process.stdout.on('error', die)
const reader = new MessageReader<unknown>(bytesLimit)
process.stdin.on('data', (chunk: Buffer) => {
  const message = reader.push(chunk)
  if (message === undefined) return
  const watching = watch()
  void developImage(message.body, memoryLimit)
    .then(reply)
    .catch(die)
    .finally(() => watching.stop())
})
await loadSharp()
sendMessage(process.stdout, { ready: true }, [])
