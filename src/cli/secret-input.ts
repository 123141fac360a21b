import type { ReadStream } from 'node:tty'
import type { Output } from './types.ts'

/** Asks for a secret on a terminal, without showing what is typed; undefined where there is no terminal, or after Ctrl+C. */
export async function askSecret(
  question: string,
  { input, output }: { readonly input: ReadStream; readonly output: Output },
): Promise<string | undefined> {
  if (!input.isTTY || output.isTTY !== true) return undefined
  output.write(question)
  input.setRawMode(true)
  input.resume()
  input.setEncoding('utf8')
  try {
    let typed = ''
    for await (const chunk of input.iterator({ destroyOnReturn: false })) {
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed
        if (character === '\u0003' || character === '\u0004') return undefined
        typed = character === '\u007f' || character === '\b' ? typed.slice(0, -1) : typed + character
      }
    }
    return typed
  } finally {
    input.setRawMode(false)
    input.pause()
    output.write('\n')
  }
}
