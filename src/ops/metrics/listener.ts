import { once } from 'node:events'
import { createServer } from 'node:http'

/** The format of Prometheus. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Where metrics are asked for. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/**
 * Answers `GET /metrics` at an address of its own, so that nobody shows them to everybody by accident. Returns how to end
 * it. @throws the system error of the socket
 */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  text: () => Promise<string>,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': TYPE }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  server.listen({ host, port })
  await once(server, 'listening')
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}
