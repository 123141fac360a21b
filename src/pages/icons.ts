import { type Markup, trusted } from './html.ts'

/** The lines of each icon, in a square of 24. */
const LINES = {
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4',
  calendar: 'M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm0 3h16M8 3v4m8-4v4',
  left: 'm14.5 6-6 6 6 6',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1m2 4a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  mail: 'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm1 0 8 6 8-6',
  phone: 'M7 5a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2zm4 13h2',
  place: 'M12 21c5-5 7-8 7-11a7 7 0 1 0-14 0c0 3 2 6 7 11zm0-9a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  remove: 'm7 7 10 10M17 7 7 17',
  repeat: 'M4 11V9a3 3 0 0 1 3-3h12l-3-3m4 10v2a3 3 0 0 1-3 3H5l3 3',
  right: 'm9.5 6 6 6-6 6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm9 2-4-4',
  video: 'M3 8a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm12 3 6-4v10l-6-4',
} as const

/** Icons that point a way, which is the other one where people read from right to left. */
const POINTING: readonly string[] = ['left', 'right']

/** An icon as large as the text beside it, which says what it means. */
export function icon(name: keyof typeof LINES): Markup {
  const flips = POINTING.includes(name) ? ' flip' : ''
  return trusted(`<svg class="i${flips}" viewBox="0 0 24 24" aria-hidden="true"><path d="${LINES[name]}"/></svg>`)
}
