import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A plain image of one color. */
export function paint(width: number, height: number, background = 'teal'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** A JPEG that tells where and with what it was taken, and that it is to be turned by a quarter. */
export function tellingJpeg(): Promise<Buffer> {
  return paint(400, 200)
    .withExif({
      IFD0: { Make: 'Kamera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

/** A moving GIF of some frames. */
export async function movingGif(frames: number, size = 40): Promise<Buffer> {
  const colours = ['red', 'green', 'blue', 'white']
  const pages = Array.from({ length: frames }, (_none, index) =>
    paint(size, size, colours[index % colours.length])
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(pages), { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** The boxes of an AVIF whose colors are multiplied by its transparency: its image refers to that one. No decoder reads it. */
export async function premultipliedAvif(): Promise<Buffer> {
  const bytes = await paint(60, 40).ensureAlpha(0.5).avif().toBuffer()
  const [meta, iref, auxl] = ['meta', 'iref', 'auxl'].map((name) => bytes.indexOf(name) - 4) as [number, number, number]
  const link = Buffer.from(bytes.subarray(auxl, auxl + 14))
  link.write('prem', 4, 'latin1')
  link.writeUInt16BE(bytes.readUInt16BE(auxl + 12), 8)
  link.writeUInt16BE(bytes.readUInt16BE(auxl + 8), 12)
  for (const at of [meta, iref]) bytes.writeUInt32BE(bytes.readUInt32BE(at) + link.length, at)
  return Buffer.concat([bytes.subarray(0, auxl), link, bytes.subarray(auxl)])
}

/** A PNG whose head announces a size that its few bytes do not have: what it would take to decode it counts. */
export async function bomb(width: number, height: number): Promise<Buffer> {
  const png = await paint(10, 10).png().toBuffer()
  const made = Buffer.from(png)
  made.writeUInt32BE(width, 16)
  made.writeUInt32BE(height, 20)
  made.writeUInt32BE(crc32(made.subarray(12, 29)), 29)
  return made
}

/** A site of someone else, on 127.0.0.1. */
export interface RemoteSite {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Paths that were asked for, in order. */
  readonly asked: string[]
}

/** What another site answers by path. */
export type RemotePages = Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>

/** Starts a site; it stops after the test. */
export async function openRemoteSite(
  t: { after(step: () => unknown): unknown },
  pages: RemotePages,
): Promise<RemoteSite> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const page = pages[path.split('?')[0] ?? '']
    if (page === undefined) response.writeHead(404).end()
    else page(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
