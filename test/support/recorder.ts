import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contractAt, membersIn } from './checked.ts'

/** A way to a server on which every answer is compared with its document. */
export interface Recorder {
  /** `http://127.0.0.1:PORT`: what is asked there is answered by the server. */
  readonly origin: string
  /** A line for each answer that breaks the document. */
  readonly problems: readonly string[]
  /** Number of answers that passed. */
  count(): number
  close(): void
}

/** Opens a way to the server at an origin. Requests and answers pass as they are, Host included. */
export async function startRecorder(origin: string): Promise<Recorder> {
  const contract = await contractAt(origin)
  const problems: string[] = []
  let count = 0
  const server = createServer((incoming, outgoing) => {
    pass(origin, incoming, outgoing)
      .then((exchange) => {
        count += 1
        const found = contract.problemsOf(exchange)
        if (found.length > 0)
          problems.push(`${exchange.method} ${exchange.url} ${exchange.status}: ${found.join('; ')}`)
      })
      .catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, problems, count: () => count, close: () => server.close() }
}

type Exchange = Parameters<Awaited<ReturnType<typeof contractAt>>['problemsOf']>[0]

async function pass(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<Exchange> {
  const sent = await bytesOf(incoming)
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const { hostname, port } = new URL(origin)
  const asking = request({ hostname, port, method, path: url, headers: rawHeaders, agent: false })
  asking.end(sent)
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const body = await bytesOf(answer)
  const { statusCode: status = 0 } = answer
  outgoing.writeHead(status, answer.statusMessage, answer.rawHeaders).end(body)
  return {
    method,
    url: new URL(url, origin).href,
    sent: membersIn(contentOf(sent, incoming.headers['content-type'] ?? '')),
    override: String(incoming.headers['x-http-method-override'] ?? ''),
    status,
    headers: headersOf(answer.rawHeaders),
    text: body.toString(),
  }
}

function contentOf(sent: Buffer, type: string): string | URLSearchParams {
  return type.includes('json') ? sent.toString() : new URLSearchParams(sent.toString())
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
