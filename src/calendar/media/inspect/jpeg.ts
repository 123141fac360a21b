import { CHUNK_LIMIT, METADATA_LIMIT, type Outline, type OutlineRefusal, Parts } from './outline.ts'

/** Most scans: progressive images have about ten. Each one goes over all pixels again. */
const SCAN_LIMIT = 64

const MARKER = {
  sos: 0xda,
  eoi: 0xd9,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  app15: 0xef,
  com: 0xfe,
} as const

/** Markers that begin a frame; the three between them are tables and extensions. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Markers without data. */
function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Walks the segments and scans of a JPEG. Comments and what programs added are left out, and all that follows the end
 * of the image; orientation and colour profile stay.
 */
export function outlineJpeg(bytes: Buffer): Outline | OutlineRefusal {
  const parts = new Parts(bytes)
  parts.keep(0, 2)
  let size: Size | undefined
  let [scans, metadata, at] = [0, 0, 2]
  for (let count = 0; at + 4 <= bytes.length; count += 1) {
    if (count === CHUNK_LIMIT || scans > SCAN_LIMIT || metadata > METADATA_LIMIT) return 'too_complex'
    // Decoders pass over stray bytes, which some cameras leave.
    if (bytes[at] !== 0xff) at = endOfScan(bytes, at)
    if (at + 4 > bytes.length) break
    const marker = bytes[at + 1] ?? 0
    if (marker === MARKER.eoi) break
    const next = marker === 0xff ? at + 1 : isBare(marker) ? at + 2 : at + 2 + bytes.readUInt16BE(at + 2)
    if (next > bytes.length) return 'not_picture'
    if (isFrame(marker)) {
      if (size !== undefined || next - at < 9) return 'not_picture'
      size = { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    const end = marker === MARKER.sos ? endOfScan(bytes, next) : next
    if (marker === MARKER.sos) scans += 1
    if (isNeeded(bytes, at, marker)) {
      parts.keep(at, end)
      if (marker === MARKER.app1 || marker === MARKER.app2) metadata += end - at
    }
    at = end
  }
  if (size === undefined || size.width === 0 || size.height === 0 || scans === 0) return 'not_picture'
  if (scans > SCAN_LIMIT || metadata > METADATA_LIMIT) return 'too_complex'
  parts.keep(at, Math.min(at + 2, bytes.length))
  return { ...size, frames: 1, parts: parts.all() }
}

/** Where the next marker stands that is neither a stuffed byte nor a restart; the end of the file when there is none. */
function endOfScan(bytes: Buffer, start: number): number {
  const last = bytes.length - 1
  for (let at = start; at < last; at += 1) {
    if (bytes[at] !== 0xff) continue
    const marker = bytes[at + 1] ?? 0
    if (marker !== 0 && marker !== 0xff && !isBare(marker)) return at
  }
  return bytes.length
}

function isNeeded(bytes: Buffer, at: number, marker: number): boolean {
  if (marker === MARKER.com) return false
  if (marker < MARKER.app0 || marker > MARKER.app15) return true
  if (marker === MARKER.app1) return bytes.toString('latin1', at + 4, at + 10) === 'Exif\0\0'
  if (marker === MARKER.app2) return bytes.toString('latin1', at + 4, at + 16) === 'ICC_PROFILE\0'
  return marker === MARKER.app0 || marker === MARKER.app14
}
