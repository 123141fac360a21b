import { connect } from 'node:net'

/**
 * Opens connections to a server and holds a body on each: all of it is sent but the last byte, and connections that end are
 * opened again. Prints a dot for each, and runs until it is killed. Arguments: origin, connections, bytes of a body, Authorization header or ''.
 */
const [origin = '', connections = '', bytes = '', authorization = ''] = process.argv.slice(2)
const { hostname, port } = new URL(origin)

const head = [
  'POST /cal/events/v1/events HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  `Content-Length: ${bytes}`,
  ...(authorization === '' ? [] : [`Authorization: ${authorization}`]),
]
const message = Buffer.from(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(Number(bytes) - 1)}`)

/** Time until a connection that was refused is tried again, in milliseconds. */
const PAUSE = 5000

function hold(): void {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.on('close', () => setTimeout(hold, PAUSE))
  socket.on('connect', () => {
    process.stdout.write('.')
    socket.write(message)
  })
  socket.resume()
}

for (let count = 0; count < Number(connections); count += 1) hold()
