import assert from 'node:assert/strict'
import { atEnd, type TestScope } from './at-end.ts'

/** An event of a stream; `data` is parsed JSON. */
export interface SentEvent {
  readonly id: string
  // Tests look into events of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the test asserts
  readonly data: any
}

/** A stream of Server-Sent Events that is being read. */
export interface OpenStream {
  readonly response: Response
  /** The next event that has data. @throws when the stream ends before */
  next(): Promise<SentEvent>
  /** What still comes until the server has ended it, in blocks. */
  rest(): Promise<string[]>
  /** Resolves when the server has ended it. */
  ended(): Promise<void>
  close(): void
}

/** Opens a stream, which is closed after the test; resolves when the server has sent the first block. */
export async function openStream(
  t: TestScope,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const closing = new AbortController()
  atEnd(t, async () => closing.abort())
  const response = await fetch(url, { headers, signal: closing.signal })
  assert.equal(response.status, 200)
  const blocks = blocksOf(response)
  await blocks.next()
  return {
    response,
    next: async () => {
      for (;;) {
        const { value, done } = await blocks.next()
        assert.ok(done !== true, 'the stream has ended')
        if (value.includes('data: ')) return { id: lineOf(value, 'id'), data: JSON.parse(lineOf(value, 'data')) }
      }
    },
    rest: async () => {
      const rest: string[] = []
      for await (const block of blocks) rest.push(block)
      return rest
    },
    ended: async () => {
      while ((await blocks.next()).done !== true);
    },
    close: () => closing.abort(),
  }
}

async function* blocksOf({ body }: Response): AsyncGenerator<string, void> {
  let text = ''
  assert.ok(body)
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks
  }
}

function lineOf(block: string, name: string): string {
  return (
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? ''
  )
}
