import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { Failure, fail } from '../../../../base/errors.ts'
import { isGzip } from '../unpack.ts'

/** A file of an archive, or the file itself where it is none. */
export interface PlainFile {
  /** For messages: no path is made of it. */
  readonly name: string
  readonly bytes: Buffer
}

/** Most bytes of a calendar. */
const LARGEST_CALENDAR = 33_554_432
/** Of an archive: bytes of all its calendars, and its files. */
const MOST = { bytes: 2 * LARGEST_CALENDAR, files: 1_000 } as const

/**
 * The calendars of an archive, such as the export of Google Calendar; other files in it do not matter. Nothing is
 * written, so the names in it lead nowhere.
 * @throws calendar_not_readable when it is too large, broken, or has no calendar
 */
export function filesIn(name: string, bytes: Buffer): readonly PlainFile[] {
  if (bytes.length > LARGEST_CALENDAR) throw unreadable(name, `is larger than ${LARGEST_CALENDAR} bytes`)
  if (isArchive(bytes)) return unpacked(name, bytes)
  return [isGzip(bytes) ? { name: name.replace(/\.gz$/i, ''), bytes: gunzipped(name, bytes) } : { name, bytes }]
}

function gunzipped(name: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_CALENDAR })
  } catch (error) {
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw unreadable(name, isLarge ? 'unpacks to too much' : 'import.problem.compressed')
  }
}

/** Whether a file is a zip archive. */
function isArchive(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
}

function unpacked(name: string, bytes: Buffer): PlainFile[] {
  let [files, size] = [0, 0]
  try {
    // What an entry really holds is cut at the size that it says, so the sizes that are added up here are the bound.
    const found = unzipSync(bytes, {
      filter: (entry) => {
        files += 1
        if (files > MOST.files) throw unreadable(name, `has more than ${MOST.files} files`)
        if (!/\.(?:ics|ical|vcs|csv)$/i.test(entry.name)) return false
        size += entry.originalSize
        if (entry.originalSize > LARGEST_CALENDAR || size > MOST.bytes) throw unreadable(name, 'unpacks to too much')
        return true
      },
    })
    const calendars = Object.entries(found).map(([path, content]) => ({
      name: `${name}: ${shown(path)}`,
      bytes: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    }))
    if (calendars.length === 0) throw unreadable(name, 'import.problem.notCalendar')
    return calendars
  } catch (error) {
    if (error instanceof Failure) throw error
    throw unreadable(name, 'is a broken archive')
  }
}

/** A name from an archive as messages show it. */
function shown(path: string): string {
  return path.replace(/\p{C}/gu, '').slice(-100)
}

function unreadable(file: string, reason: string): Error {
  return fail('calendar_not_readable', { file, reason })
}
