/** A format that is taken in and served. */
export interface Format {
  /** Name that the image library knows it by. */
  readonly codec: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'
  readonly mime: string
  /** Of file names, without the dot. */
  readonly extension: string
}

/** Every format that is taken in, each kept as what it is. Drawings (SVG) are programs and not among them. */
const FORMATS: readonly Format[] = [
  { codec: 'jpeg', mime: 'image/jpeg', extension: 'jpg' },
  { codec: 'png', mime: 'image/png', extension: 'png' },
  { codec: 'webp', mime: 'image/webp', extension: 'webp' },
  { codec: 'gif', mime: 'image/gif', extension: 'gif' },
  { codec: 'avif', mime: 'image/avif', extension: 'avif' },
]

/** How each format starts; any byte may stand in `[\s\S]`. */
const BEGINNINGS: readonly [pattern: RegExp, codec: Format['codec']][] = [
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^\x89PNG\r\n\cZ\n/, 'png'],
  [/^RIFF[\s\S]{4}WEBP/, 'webp'],
  [/^GIF8[79]a/, 'gif'],
  // ISO base media file: the brand is the first one, or among the compatible ones behind it.
  [/^[\s\S]{4}ftyp(?:avi[fs]|(?:mif1|msf1)[\s\S]{4}(?:[\s\S]{4})*?avi[fs])/, 'avif'],
]

/** Bytes that are looked at. */
const HEAD = 64

/** The format of a file by its content; undefined for everything that is not taken in. Names and types do not count. */
export function formatOf(bytes: Uint8Array): Format | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1')
  const codec = BEGINNINGS.find(([pattern]) => pattern.test(head))?.[1]
  return FORMATS.find((format) => format.codec === codec)
}

/** Longest and shortest side do not matter for names: `HASH.jpg`, and `HASH-300x200.jpg` for a smaller size. */
const FILE_NAME = /^([0-9a-f]{40})(?:-\d{1,5}x\d{1,5})?\.(jpg|png|webp|gif|avif)$/

/** What the name of a file of ours says; undefined for every other name, so that nothing else is ever opened. */
export function readFileName(name: string): { readonly full: string; readonly mime: string } | undefined {
  const [, hash, extension] = FILE_NAME.exec(name) ?? []
  const format = FORMATS.find((one) => one.extension === extension)
  return hash === undefined || format === undefined ? undefined : { full: `${hash}.${extension}`, mime: format.mime }
}
