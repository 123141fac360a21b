import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** The ports that no system gives to those who name none, and that browsers allow: nobody else gets one before it is used. */
const [FIRST, LAST] = [20_000, 32_000]

/** A port of 127.0.0.1 that nothing listens on. @throws where a hundred of them are taken */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(FIRST, LAST)
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
