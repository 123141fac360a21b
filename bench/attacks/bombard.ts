/** Uploads image bombs to a server until it is killed: `bombard.ts ORIGIN AUTHORIZATION`; prints a dot for each. */
import { OWN_NAMESPACE } from '../../src/base/config/namespaces.ts'
import {
  flatPng,
  gif,
  gifWithBlocks,
  pngWithChunks,
  pngWithProfile,
  pngWithTexts,
} from '../../test/support/image-bombs.ts'

/** Uploads at the same time: more than the server decodes. */
const CONNECTIONS = 4

/** Images that cost far more than their size; the flat ones are really decoded, as large as it is allowed. */
const BOMBS: readonly Buffer[] = [
  pngWithTexts(100, 16),
  pngWithProfile(256),
  pngWithChunks(40_000),
  gif([60_000, 60_000], 1),
  gif([7_000, 7_000], 1),
  gif([1, 1], 500_000),
  gifWithBlocks(4_000_000),
  flatPng(7_000, 7_000),
  flatPng(9_999, 5_000),
]

const [origin = '', authorization = ''] = process.argv.slice(2)
const headers = {
  authorization,
  'content-type': 'image/png',
  'content-disposition': 'attachment; filename="bomb"',
}

for (let start = 0; start < CONNECTIONS; start += 1) void uploadOn(start)

async function uploadOn(start: number): Promise<never> {
  for (let sent = start; ; sent += 1) {
    const body = new Uint8Array(BOMBS[sent % BOMBS.length] ?? [])
    await fetch(`${origin}/${OWN_NAMESPACE}/media`, { method: 'POST', headers, body })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined)
    process.stdout.write('.')
  }
}
