/** Checks whether a calendar is whole, and rebuilds derived data. */

import { stat } from 'node:fs/promises'
import { failedMails } from '../../accounts/mail/index.ts'
import { maskAddress, maskAddresses } from '../../base/text/mailbox.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { followZoneData, staleTimes } from '../../calendar/events/index.ts'
import { filesOfImages, pathOfFile, stillNamed } from '../../calendar/media/index.ts'
import { isDamage } from '../../storage/damage.ts'
import type { Reader, Storage } from '../../storage/engine.ts'
import { openToOthers, type PrivateFile, tighten } from '../../storage/file-modes.ts'
import { openSnapshot } from '../../storage/snapshot.ts'
import { type Broken, examineCopies, repairCopies } from './copies.ts'
import { examineCounters, repairCounters } from './counters.ts'
import { type Finding, finding } from './finding.ts'
import { examineKey, type KeyPlace } from './key.ts'
import { examineRows } from './rows.ts'
import { examineSearchIndex, repairSearchIndex } from './search-index.ts'

export type { Finding } from './finding.ts'

/** What belongs to a calendar. */
export interface CalendarData extends KeyPlace {
  readonly database: string
  /** Folder of the files of images. */
  readonly media: string
  readonly files: readonly PrivateFile[]
  /** Unix milliseconds. */
  readonly now: number
}

/** The findings, and what can be rebuilt; `broken` is undefined where the database cannot be read to its end. */
export interface Examination {
  readonly findings: readonly Finding[]
  readonly broken: Broken | undefined
}

/** Future events whose times in UTC are compared with the rules of their zones. */
const SAMPLE = 2_000

/** Milliseconds for which a mail that was given up is a finding: the system page shows it longer. */
const DAY = 86_400_000

/** Looks at everything in the state of one instant; writes nothing, so that servers may continue. */
export async function examine(calendar: CalendarData): Promise<Examination> {
  try {
    return await examineAll(calendar)
  } catch (error) {
    if (!isDamage(error)) throw error
    const detail = `${error.message}: restore a backup, as what is lost cannot be made again`
    return { findings: [finding('integrity', [detail])], broken: undefined }
  }
}

async function examineAll(calendar: CalendarData): Promise<Examination> {
  const snapshot = await openSnapshot(calendar.database)
  try {
    const rows = await examineRows(snapshot)
    const { findings, broken } = await examineCopies(snapshot)
    const counters = await examineCounters(snapshot)
    const index = await examineSearchIndex(snapshot)
    const open = openToOthers(calendar.files).map(({ path }) => path)
    const others = [
      finding('pictures', await lostImages(snapshot, calendar)),
      await examineKey(snapshot, calendar),
      finding('time zones', await staleTimes(snapshot, { now: calendar.now, most: SAMPLE }), true),
      finding('file modes', open, true),
      ...(await lostMails(snapshot, calendar)),
    ]
    return { findings: [...rows, counters, ...findings, ...index, ...others], broken }
  } finally {
    await snapshot.close()
  }
}

/** The mails that were given up in the last 24 hours; no finding where there are none. */
async function lostMails(reader: Reader, { now }: Pick<CalendarData, 'now'>): Promise<Finding[]> {
  const since = utcFromMillis(now - DAY)
  const mails = (await failedMails(reader, SAMPLE)).filter(({ settled_at: at }) => at !== null && at > since)
  const names = mails.map(
    ({ kind, address, problem }) => `${kind} to ${maskAddress(address)}: ${maskAddresses(problem)}`,
  )
  return names.length === 0 ? [] : [finding('mails', names)]
}

/** Files that are not there as they were stored. An image that is deleted while it is looked for is not lost. */
async function lostImages(reader: Reader, { media, database }: CalendarData): Promise<string[]> {
  const missing: string[] = []
  for await (const { name, bytes } of filesOfImages(reader)) {
    const file = await stat(pathOfFile(media, name)).catch(() => undefined)
    if (file?.isFile() !== true || file.size !== bytes) missing.push(name)
  }
  if (missing.length === 0) return []
  const now = await openSnapshot(database)
  const lost = await stillNamed(now, missing)
  await now.close()
  return lost
}

/** Rebuilds derived data. No server may run. */
export async function repair(
  storage: Storage,
  { broken, files, now }: { readonly broken: Broken } & Pick<CalendarData, 'files' | 'now'>,
) {
  tighten(files)
  await storage.write(async (tx) => {
    await repairCounters(tx)
    await repairCopies(tx, broken)
  }, 'long')
  const version = process.versions['tz'] ?? ''
  await followZoneData(storage, { now, version, isForced: true }, new AbortController().signal)
  await repairSearchIndex(storage)
}
