import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname } from 'node:path'
import type { PageResponse } from '../http/html-page.ts'
import type { Site } from '../model/site.ts'
import { html, type Markup, NOTHING } from './html.ts'

/** A file for browsers. Its name holds a digest of its content, so that what lies under it never changes. */
interface Asset {
  /** `/assets/site.3f2a9c81d0.css` */
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

/** Folder of our own style sheets and scripts. */
const FOLDER = new URL('./client/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The files of libraries that browsers may load, by the name under which pages and scripts load them, relative to
 * `node_modules`. Nothing else of a package is served.
 */
const LIBRARIES: Readonly<Record<string, string>> = {
  // The editor of descriptions; the last three are what the others import.
  'prosemirror-commands': 'prosemirror-commands/dist/index.js',
  'prosemirror-gapcursor': 'prosemirror-gapcursor/dist/index.js',
  'prosemirror-history': 'prosemirror-history/dist/index.js',
  'prosemirror-keymap': 'prosemirror-keymap/dist/index.js',
  'prosemirror-model': 'prosemirror-model/dist/index.js',
  'prosemirror-schema-list': 'prosemirror-schema-list/dist/index.js',
  'prosemirror-state': 'prosemirror-state/dist/index.js',
  'prosemirror-transform': 'prosemirror-transform/dist/index.js',
  'prosemirror-view': 'prosemirror-view/dist/index.js',
  orderedmap: 'orderedmap/dist/index.js',
  'rope-sequence': 'rope-sequence/dist/index.js',
  'w3c-keyname': 'w3c-keyname/index.js',
  // Names that are offered while they are typed.
  '@github/auto-complete-element': '@github/auto-complete-element/dist/bundle.js',
  'leaflet.css': 'leaflet/dist/leaflet.css',
  'leaflet.js': 'leaflet/dist/leaflet.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
}

const NODE_MODULES = new URL('../../node_modules/', import.meta.url)

const byName = new Map<string, Asset>()
const byFile = new Map<string, Asset>()

/**
 * The path of a file by the name that its source has: `site.css`, `site.ts`, `admin/form.ts`.
 * @throws Error for one that is not there
 */
export function assetPath(name: string): string {
  readAssets()
  return load(name).path
}

/** Whether there is a file of a name, by the last part of its path. */
export function isAsset(file: string): boolean {
  return assetOfPath(file) !== undefined
}

function assetOfPath(file: string): Asset | undefined {
  readAssets()
  // Libraries are read once they are needed; a page of another process may name one that was not needed here yet.
  if (!byFile.has(file)) for (const name of Object.keys(LIBRARIES)) load(name)
  return byFile.get(file)
}

/** The file that a page asks for; undefined if there is none. */
export function assetResponse(file: string): PageResponse | undefined {
  const asset = assetOfPath(file)
  if (asset === undefined) return undefined
  return {
    status: 200,
    body: asset.body,
    type: asset.type,
    headers: {
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Origin',
      'access-control-allow-origin': '*',
    },
    freshness: { dependencies: [] },
  }
}

let areRead = false

/**
 * Reads and strips all our files, once and together, so that all are of one version of the program. Servers do so
 * before their first request; commands, which show no page, never do. @throws Error where one is missing
 */
export function readAssets(): void {
  if (areRead) return
  for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
    if (entry.isDirectory()) loadFolder(entry.name)
    else if (extname(entry.name) !== '.json') load(entry.name)
  }
  areRead = true
}

/** A folder is one style sheet, and scripts with names of their own. */
function loadFolder(folder: string): void {
  load(`${folder}.css`)
  for (const file of readdirSync(new URL(`${folder}/`, FOLDER))) {
    if (extname(file) === '.ts') load(`${folder}/${file}`)
  }
}

function load(name: string): Asset {
  const known = byName.get(name)
  if (known !== undefined) return known
  const library = LIBRARIES[name]
  const asset =
    library === undefined
      ? assetOf(name, bodyOf(name, ownSource(name)))
      : assetOf(stemOf(name) + extname(library), libraryBody(name, readFileSync(new URL(library, NODE_MODULES))))
  byName.set(name, asset)
  byFile.set(asset.path.slice('/assets/'.length), asset)
  return asset
}

/** A file, or the colors of categories and then the style sheets of a folder, in the order of their names. */
function ownSource(name: string): Buffer {
  const folder = new URL(`${name.replace(/\.css$/, '')}/`, FOLDER)
  if (!name.endsWith('.css') || !existsSync(folder)) return readFileSync(new URL(name, FOLDER))
  const files = readdirSync(folder)
    .filter((file) => extname(file) === '.css')
    .sort()
  return Buffer.concat(['../palette.css', ...files].map((file) => readFileSync(new URL(file, folder))))
}

/** A file of ours as browsers get it. */
function bodyOf(name: string, source: Buffer): Buffer {
  const text = source.toString('utf8')
  if (extname(name) === '.css') return Buffer.from(withoutComments(text))
  return extname(name) === '.ts' ? Buffer.from(script(name, text)) : source
}

/** A file of a library as browsers get it: modules, which are named as they are imported, find what they import. */
function libraryBody(name: string, source: Buffer): Buffer {
  return extname(name) === '' ? Buffer.from(withServedNames('', withoutComments(source.toString('utf8')))) : source
}

/** A name without its extension, as it may stand in an address. */
function stemOf(name: string): string {
  return name.replace(/\.(css|js|ts|svg)$/, '').replaceAll(/[@/]/g, '-')
}

function assetOf(name: string, body: Buffer): Asset {
  const extension = extname(name) === '.ts' ? '.js' : extname(name)
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10)
  return {
    path: `/assets/${stemOf(name)}.${digest}${extension}`,
    type: TYPES[extension] ?? 'application/octet-stream',
    body,
  }
}

/** A script as browsers run it: without types and comments, and with the served names of what it imports. */
function script(name: string, source: string): string {
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  // Types become blanks.
  return withServedNames(folder, withoutComments(quietly(() => stripTypeScriptTypes(source))))
}

/** A script that imports files of its folder and libraries by the names under which they are served. */
function withServedNames(folder: string, source: string): string {
  return source.replaceAll(/(?<=\bfrom\s*|\bimport\s*)(['"])[^'"\n]+\1/g, (quoted) => {
    const named = quoted.slice(1, -1)
    const isOwn = named.startsWith('./')
    if (!isOwn && !Object.hasOwn(LIBRARIES, named)) return quoted
    return `'./${load(isOwn ? folder + named.slice(2) : named).path.slice('/assets/'.length)}'`
  })
}

/** Lines of comments and indentation are left out: every byte is sent to every visitor. */
function withoutComments(source: string): string {
  return source
    .replaceAll(/^\s*\/\*(?:(?!\*\/)[\s\S])*\*\/\s*$/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
}

/** Node warns that this function may change; what runs the program itself is the same one, and does not warn. */
function quietly<Value>(step: () => Value): Value {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return step()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The accent where a site has chosen none. */
const ACCENT = { light: '#0a6b4a', dark: '#6fdcab' }

/** The colors of a site as a style sheet; '' where it has chosen none. The masthead is a dark tone of its accent. */
function sheetOf({ theme }: Pick<Site, 'theme'>): string {
  const { accent = '', accentDark = '' } = theme ?? {}
  if (accent === '' && accentDark === '') return ''
  const brand = accent === '' ? '' : `;--brand:color-mix(in srgb,${accent} 40%,#0a1210)`
  return `:root{--accent:light-dark(${accent || ACCENT.light},${accentDark || ACCENT.dark})${brand}}`
}

/** The link to the colors of a site, whose address changes with them; nothing where it has none of its own. */
export function themeLink(site: Pick<Site, 'theme'>, address: (path: string) => string): Markup {
  const sheet = sheetOf(site)
  if (sheet === '') return NOTHING
  const digest = createHash('sha256').update(sheet).digest('hex').slice(0, 10)
  return html`<link rel="stylesheet" href="${address('/theme.css')}?v=${digest}">`
}

/** The style sheet with the colors of a site. */
export function themeSheet(site: Pick<Site, 'theme'>): PageResponse {
  return {
    status: 200,
    body: sheetOf(site),
    type: 'text/css; charset=utf-8',
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }
}
