import { type Brought, type Errand, imageFailure, type Pictures } from '../entries/image.ts'
import { type PictureRow, pictureIdBy } from '../entries/store-picture.ts'
import type { Storage, Transaction } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import type { AddressGate } from './addresses.ts'
import type { Cabinet, NewFileSet } from './cabinet.ts'
import { type Developed, developPicture } from './develop.ts'
import { fetchPicture, sourceOf } from './fetch.ts'
import { fileNamed, titleOfAddress } from './rules.ts'
import { filesOf, insertPicture, type NewPicture } from './store.ts'
import { atMost } from './turns.ts'

/** What an album is made of. */
export interface AlbumParts {
  readonly storage: Storage
  readonly cabinet: Cabinet
  /** Which addresses pictures may be fetched from. */
  readonly gate: AddressGate
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
  /** Takes in a file. @throws rest_invalid_param that names `file` when it is no picture */
  add(sent: Sent): Promise<PictureRow>
  /** Runs the write that deletes the row of a picture; its files follow. */
  remove(row: PictureRow, write: (tx: Transaction) => Promise<void>): Promise<void>
  /** What events, venues and organizers need. */
  readonly pictures: Pictures
}

/** Longest time to fetch one picture, in milliseconds. */
const FETCH_PATIENCE = 15_000

/** Most addresses that one write may have fetched: all that comes is held until the write is done. */
const ERRAND_LIMIT = 20

/** Pictures that are worked on at the same time: each takes a processor and some hundred megabytes for a moment. */
const WORKBENCHES = 2

/** Opens the album; one for each process. */
export function openAlbum(parts: AlbumParts): Album {
  const { storage, cabinet } = parts
  const inTurn = atMost(WORKBENCHES)
  const develop: Develop = async (bytes, { param, language }) => {
    const made = await inTurn(() => developPicture(bytes))
    if (!made.ok) throw imageFailure(param, made.reason, language)
    return made.picture
  }
  return {
    add: (sent) => addPicture({ storage, cabinet, develop }, sent),
    remove: async (row, write) => {
      await storage.write(write)
      await cabinet.tidy(filesOf(row))
    },
    pictures: {
      fileOf: fileNamed,
      sourceOf,
      bring: async (errand, write) => {
        refuseSurplus(errand)
        const { wanted, language } = errand
        const found = new Map<string, Developed>()
        for (const { param, url } of wanted) {
          if (found.has(url)) continue
          const fetched = await fetchPicture(url, { ...parts, patience: FETCH_PATIENCE })
          if (!fetched.ok) throw imageFailure(param, fetched.reason, language)
          found.set(url, await develop(fetched.bytes, { param, language }))
        }
        return cabinet.whileKept([...found.values()].map(setOf), () => write(brought(found)))
      },
    },
  }
}

/** @throws rest_invalid_param that names the parameter with the first address too many */
function refuseSurplus({ wanted, language }: Errand): void {
  const urls = new Set<string>()
  for (const { param, url } of wanted) {
    if (urls.add(url).size > ERRAND_LIMIT) throw imageFailure(param, 'too_many_addresses', language)
  }
}

type Develop = (bytes: Buffer, named: { readonly param: string; readonly language: string }) => Promise<Developed>

interface Adding {
  readonly storage: Storage
  readonly cabinet: Cabinet
  readonly develop: Develop
}

async function addPicture({ storage, cabinet, develop }: Adding, sent: Sent): Promise<PictureRow> {
  const { bytes, title, alt, author, now, language } = sent
  const picture = await develop(bytes, { param: 'file', language })
  const facts = { title, alt, author_id: author, created_at: utcFromMillis(now), source_url: null }
  return cabinet.whileKept([setOf(picture)], () => storage.write((tx) => insertPicture(tx, columnsOf(picture, facts))))
}

/** Rows of fetched pictures are made in the transaction of what names them: if it fails, there are none. */
function brought(found: ReadonlyMap<string, Developed>): Brought {
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
