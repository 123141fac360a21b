import { adminPages } from '../../src/admin/index.ts'
import { sitePages } from '../../src/pages/index.ts'
import type { Address } from './addresses.ts'
import type { ProbeCaller } from './callers.ts'
import type { Planted } from './plant.ts'
import type { Secret } from './secrets.ts'

/** Longest silence of a stream that has said everything, in milliseconds. */
const SILENCE = 200

/** What callers have read. */
export interface Readings {
  /** What somebody read who may not, and failures of the server. */
  readonly leaks: string[]
  /** What callers may read and have not: otherwise the wrong places were looked at. */
  missed(isExpected: (caller: ProbeCaller, secret: Secret) => boolean): string[]
}

/** Reads all addresses as everybody. */
export async function readAll(
  planted: Planted,
  addresses: readonly Address[],
  callers: readonly ProbeCaller[],
): Promise<Readings> {
  const { words, app } = planted
  const leaks: string[] = []
  const seen = new Map(callers.map((caller) => [caller, new Set<string>()]))
  for (const address of addresses) {
    const answers = callers.map(async (caller) => {
      const { status, text } = await textOf(
        await fetch(app.origin + address.path, { headers: caller.headers, redirect: 'manual' }),
      )
      if (status >= 500) leaks.push(`${status} for ${caller.name} at ${address.path}`)
      leaks.push(...leaksIn(planted, text, { caller, address }))
      for (const [word] of words.in(text)) seen.get(caller)?.add(word)
    })
    await Promise.all(answers)
  }
  return {
    leaks,
    missed: (isExpected) =>
      callers.flatMap((caller) =>
        words
          .all()
          .filter(
            ([word, secret]) => caller.mayRead(secret) && isExpected(caller, secret) && !seen.get(caller)?.has(word),
          )
          .map(([_word, secret]) => `${caller.name} never read ${JSON.stringify(secret)}`),
      ),
  }
}

/** Head and body of an answer, of a stream what it says at first. */
export async function textOf(answer: Response): Promise<{ readonly status: number; readonly text: string }> {
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  return { status: answer.status, text: `${head}\n${isStream ? await beginningOf(answer) : await answer.text()}` }
}

async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ; ) {
    const silence = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => silence.resolve(undefined), SILENCE)
    const next = await Promise.race([reader?.read(), silence.promise])
    clearTimeout(timer)
    if (next?.value === undefined) {
      await reader?.cancel()
      return text
    }
    text += next.value
  }
}

/** Whose answer a text is, and to what. */
interface Asked {
  readonly caller: ProbeCaller
  readonly address: Address
}

/** What a text has of what its caller may not see, or is not shown on lists; the words of the request apart. */
export function leaksIn({ words }: Planted, text: string, { caller, address }: Asked): string[] {
  return words
    .in(text)
    .filter(
      ([word, secret]) =>
        !address.path.includes(word) && (!caller.mayRead(secret) || isOnNoList(secret, { caller, address })),
    )
    .map(([_word, secret]) => `${caller.name} read ${JSON.stringify(secret)} at ${address.path}`)
}

/** Whether only the address of a hidden event shows it to a caller (wire: events 3.9; docs/changes.md: include_hidden). */
function isOnNoList(secret: Secret, { caller, address }: Asked): boolean {
  if (!('entry' in secret) || secret.entry.veil !== 'hidden' || secret.part === 'term') return false
  return (
    secret.entry !== address.named && !address.path.includes('include_hidden=true') && !caller.mayChange(secret.entry)
  )
}

/** Paths of all pages, as they are declared. */
export function declaredPages(): string[] {
  const { pages, forms = [] } = sitePages({} as never)
  const administration = adminPages({ config: { mediaLimit: 1 } } as never)
  return [...pages, ...forms, ...administration]
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('/logout') && path !== '/assets/:file')
}

/** Whether there is something that a caller may not see or change. */
export function isCurious({ role }: ProbeCaller): boolean {
  return role !== 'administrator'
}
