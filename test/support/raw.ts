import { request } from 'node:http'

/** Asks with exactly these headers, `Host` included, which `fetch` does not let a test choose; the JSON of the answer. */
export function askRaw(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      answer.on('end', () => resolve(JSON.parse(text)))
    })
    asking.on('error', reject)
    asking.end()
  })
}
