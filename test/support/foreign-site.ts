import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd, type TestScope } from './at-end.ts'

/** A site of someone else with some pages by path: another port is another origin, and cookies of this machine come along. */
export async function foreignSite(t: TestScope, pages: Readonly<Record<string, string>>): Promise<string> {
  const site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    // Browsers ask for no icon later, when the test is over.
    response.setHeader('link', '<data:,>; rel=icon')
    response.end(pages[request.url ?? ''] ?? '')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  atEnd(t, async () => void site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}
