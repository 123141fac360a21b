import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fail } from '../../base/errors.ts'
import { KEY_FILE, loadSecret } from '../../http/auth/secret.ts'
import { makeFolder } from '../../storage/make-folder.ts'

/** SHA-256 of a file, hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** What was copied. */
export interface CopiedFiles {
  readonly bytes: number
  readonly sha256: string
}

/** Copies a file into a new one for its owner alone, durably; undefined if there is none. Its folders are made. */
export async function copyFile(from: string, to: string): Promise<CopiedFiles | undefined> {
  const source = await open(from, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (source === undefined) return undefined
  const target = await newFile(to).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  const hash = createHash('sha256')
  let bytes = 0
  const counting = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(source.createReadStream(), counting, target.createWriteStream({ flush: true }))
  return { bytes, sha256: hash.digest('hex') }
}

/**
 * Copies the key file of a data folder. Another text than a key is none: what is restored with it could not be served,
 * and the copy may take the place of a better one.
 * @throws key_missing, secret_not_usable
 */
export async function copyKey(data: string, to: string): Promise<CopiedFiles> {
  await loadSecret('', data, false)
  const path = join(data, KEY_FILE)
  const copied = await copyFile(path, to)
  if (copied === undefined) throw fail('key_missing', { path })
  return copied
}

async function newFile(path: string): Promise<FileHandle> {
  await makeFolder(dirname(path))
  return open(path, 'wx', 0o600)
}

/** Writes a new file for its owner alone, durably. */
export async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
