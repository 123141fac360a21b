import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer to be sent as it is: the most that any server on `node:http` can reach with these bytes. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body: string
}

// Sends the answer in the file that is named first to every request, and nothing else.
const [file] = process.argv.slice(2)
if (file !== undefined) serve(JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswer)

function serve({ status, headers, body }: RecordedAnswer): void {
  const bytes = Buffer.from(body, 'base64')
  const server = createServer((_request, response) => {
    response.writeHead(status, headers)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}
