import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Longest socket path that every system takes: 104 bytes with the closing zero on the BSDs, 108 on Linux (`sun_path`). */
const LONGEST = 100

const own = (dataFolder: string): string => join(dataFolder, 'kalends.sock')
const note = (dataFolder: string): string => join(dataFolder, 'kalends.sock.path')

/**
 * Path of the server's socket: in the data folder, or, if that path is too long, in a new folder that only its owner
 * can enter, with a note of the path in the data folder. Leftovers of an earlier server are removed; the caller holds
 * the lock of the data folder, so no server uses them.
 */
export async function claimSocketPath(dataFolder: string): Promise<string> {
  await removeSocket(dataFolder)
  if (Buffer.byteLength(own(dataFolder)) <= LONGEST) return own(dataFolder)
  const path = join(await mkdtemp(join(tmpdir(), 'kalends-')), 'kalends.sock')
  await writeFile(note(dataFolder), path, { mode: 0o600 })
  return path
}

/** Where the running server has its socket, if one is running. */
export async function findSocketPath(dataFolder: string): Promise<string> {
  return (await readNote(dataFolder)) ?? own(dataFolder)
}

/** Removes the socket and everything created for it. */
export async function removeSocket(dataFolder: string): Promise<void> {
  const elsewhere = await readNote(dataFolder)
  await rm(own(dataFolder), { force: true })
  await rm(note(dataFolder), { force: true })
  if (elsewhere !== undefined) await rm(dirname(elsewhere), { recursive: true, force: true })
}

/** The noted path; undefined without a note, and for anything that this file did not write. */
async function readNote(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(note(dataFolder), 'utf8').catch(() => '')
  return /\/kalends-[A-Za-z0-9]+\/kalends\.sock$/.test(text) ? text : undefined
}
