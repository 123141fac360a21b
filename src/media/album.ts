import { type FetchedPictures, imageFailure, type PictureFetch, type Pictures } from '../entries/image.ts'
import { type PictureRow, pictureIdBy } from '../entries/store-picture.ts'
import type { Transaction } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import type { AddressGate } from './addresses.ts'
import { boundedQueue } from './bounded-queue.ts'
import type { Cabinet, NewFileSet } from './cabinet.ts'
import type { Decoder } from './decoder.ts'
import type { Developed } from './develop.ts'
import { fetchPicture, sourceOf } from './fetch.ts'
import { fileNamed, titleOfAddress } from './rules.ts'
import { filesOf, insertPicture, type NewPicture } from './store.ts'

/** What an album is made of. */
export interface AlbumParts {
  readonly cabinet: Cabinet
  /** Which addresses pictures may be fetched from. */
  readonly gate: AddressGate
  readonly decoder: Pick<Decoder, 'develop'>
  /** Most bytes of a picture as it is sent or fetched. */
  readonly limit: number
}

/** A file that was sent, and what is said of it. */
export interface Sent {
  readonly bytes: Buffer
  readonly title: string
  readonly alt: string
  /** User who sends it. */
  readonly author: number
  /** Unix milliseconds. */
  readonly now: number
  /** Language of the message when it is no picture. */
  readonly language: string
}

/** The pictures with their files: taken in, brought along by other writes, taken away. */
export interface Album {
  /** Takes in a file; `commit` runs the job that makes its row. @throws rest_invalid_param that names `file` when it is no picture */
  add<T>(sent: Sent, commit: (job: (tx: Transaction) => Promise<PictureRow>) => Promise<T>): Promise<T>
  /** Runs the write that deletes the row of a picture; its files follow. */
  remove<T>(row: PictureRow, write: () => Promise<T>): Promise<T>
  /** What events, venues and organizers need. */
  readonly pictures: Pictures
}

/** Longest time to fetch one picture, in milliseconds. */
const FETCH_PATIENCE = 15_000

/** Most addresses that one write may have fetched: all that comes is held until the write is done. */
const ERRAND_LIMIT = 20

/** Longest time to fetch all pictures of one write, in milliseconds. */
const ERRAND_PATIENCE = 60_000

/** Most bytes that one write may hold of fetched pictures, once there are two. */
const ERRAND_BYTES = 32 * 1024 ** 2

/** Writes that fetch pictures at the same time, and those that wait for them. */
const ERRANDS = { places: 4, waiting: 16, weight: 16, patience: 30_000 } as const

/** Opens the album; one for each process. */
export function openAlbum(parts: AlbumParts): Album {
  const { cabinet, decoder } = parts
  const inTurn = boundedQueue(ERRANDS)
  const develop: Develop = async (bytes, { param, language }) => {
    const made = await decoder.develop(bytes)
    if (!made.ok) throw imageFailure(param, made.reason, language)
    return made.picture
  }
  return {
    add: (sent, commit) => addPicture({ cabinet, develop, commit }, sent),
    remove: async (row, write) => {
      const done = await write()
      await cabinet.tidy(filesOf(row))
      return done
    },
    pictures: {
      fileOf: fileNamed,
      sourceOf,
      bring: (errand, write) => {
        refuseSurplus(errand)
        const run = async () => {
          const found = await fetchAll(errand, { ...parts, develop })
          return cabinet.whileKept([...found.values()].map(setOf), () => write(brought(found)))
        }
        return errand.wanted.length === 0 ? run() : inTurn(1, run)
      },
    },
  }
}

type Fetching = Pick<AlbumParts, 'gate' | 'limit'> & { readonly develop: Develop }

/** Fetches and decodes what a write names, one after the other. @throws rest_invalid_param that names the parameter */
async function fetchAll(
  { wanted, language }: PictureFetch,
  { gate, limit, develop }: Fetching,
): Promise<ReadonlyMap<string, Developed>> {
  const found = new Map<string, Developed>()
  const signal = AbortSignal.timeout(ERRAND_PATIENCE)
  let held = 0
  for (const { param, url } of wanted) {
    if (found.has(url)) continue
    const fetched = await fetchPicture(url, { gate, limit, patience: FETCH_PATIENCE, signal })
    if (!fetched.ok) throw imageFailure(param, fetched.reason, language)
    const picture = await develop(fetched.bytes, { param, language })
    held += picture.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (held > ERRAND_BYTES && found.size > 0) throw imageFailure(param, 'too_many_bytes', language)
    found.set(url, picture)
  }
  return found
}

/** @throws rest_invalid_param that names the parameter with the first address too many */
function refuseSurplus({ wanted, language }: PictureFetch): void {
  const urls = new Set<string>()
  for (const { param, url } of wanted) {
    if (urls.add(url).size > ERRAND_LIMIT) throw imageFailure(param, 'too_many_addresses', language)
  }
}

type Develop = (bytes: Buffer, named: { readonly param: string; readonly language: string }) => Promise<Developed>

interface Adding<T> {
  readonly cabinet: Cabinet
  readonly develop: Develop
  readonly commit: (job: (tx: Transaction) => Promise<PictureRow>) => Promise<T>
}

async function addPicture<T>({ cabinet, develop, commit }: Adding<T>, sent: Sent): Promise<T> {
  const { bytes, title, alt, author, now, language } = sent
  const picture = await develop(bytes, { param: 'file', language })
  const facts = { title, alt, author_id: author, created_at: utcFromMillis(now), source_url: null }
  return cabinet.whileKept([setOf(picture)], () => commit((tx) => insertPicture(tx, columnsOf(picture, facts))))
}

/** Rows of fetched pictures are made in the transaction of what names them: if it fails, there are none. */
function brought(found: ReadonlyMap<string, Developed>): FetchedPictures {
  return {
    place: async (tx, url, { caller, now }) => {
      const known = await pictureIdBy(tx, { source_url: url })
      if (known !== undefined) return known
      const picture = found.get(url)
      if (picture === undefined) throw new Error('this picture was not fetched')
      const facts = { title: titleOfAddress(url), alt: '', author_id: caller.id, source_url: url }
      return (await insertPicture(tx, columnsOf(picture, { ...facts, created_at: utcFromMillis(now) }))).id
    },
  }
}

type Facts = Pick<NewPicture, 'title' | 'alt' | 'author_id' | 'created_at' | 'source_url'>

function columnsOf({ files, mime, width, height, sizes }: Developed, facts: Facts): NewPicture {
  const [full] = files
  if (full === undefined) throw new Error('a picture has at least one file')
  const { name: file, bytes } = full
  return { ...facts, mime, width, height, filesize: bytes.length, file, sizes: JSON.stringify(sizes) }
}

function setOf({ files }: Developed): NewFileSet {
  return { full: files[0]?.name ?? '', names: files.map((one) => one.name), files }
}
