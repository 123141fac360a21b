import { POST_COMMON, POST_ELEMENTS, type Vocabulary } from '../../../../base/text/html-vocabulary.ts'
import { sanitize } from '../../../../base/text/sanitize.ts'
import { htmlTokens } from '../../../../base/text/tokens.ts'
import { buildTree, writeTree } from '../../../../base/text/tree.ts'
import type { Skipped } from '../../types.ts'
import { noteAt, type SourceObject } from './members.ts'

/** Deepest nesting of a value, in lists and objects. */
const DEPTH_LIMIT = 10
/** Largest size of all unknown members of an item together, in characters of their JSON. */
const SIZE_LIMIT = 65_536
/** Longest name of a member, in characters. */
const NAME_LIMIT = 200

/** Names with a meaning for programs that copy objects carelessly. */
const TRAPS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const VOCABULARY: Vocabulary = { elements: POST_ELEMENTS, common: POST_COMMON, iframeHosts: [] }

/**
 * The members of an item that we do not know, in the order as recorded and safe to be answered; `{}` for none. What is too
 * large or nested too deep is left out.
 */
export function unknownMembers(
  source: SourceObject,
  known: ReadonlySet<string>,
  notes: Skipped[],
): Readonly<Record<string, unknown>> {
  const members: [string, unknown][] = []
  let size = 0
  for (const [name, value] of Object.entries(source.members)) {
    if (known.has(name) || !isSafeName(name)) continue
    const safe = safeJson(value)
    size += name.length + (safe.ok ? JSON.stringify(safe.value).length : 0)
    if (safe.ok && size <= SIZE_LIMIT) members.push([name, safe.value])
    else notes.push(noteAt(source, name, 'too large or nested too deep'))
  }
  return Object.fromEntries(members)
}

/** A JSON value with its texts made safe; not ok when it is too large or nested too deep. */
export function safeJson(value: unknown): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    const safe = cleaned(value, DEPTH_LIMIT)
    return JSON.stringify(safe).length <= SIZE_LIMIT ? { ok: true, value: safe } : { ok: false }
  } catch (error) {
    if (error === TOO_DEEP) return { ok: false }
    throw error
  }
}

const TOO_DEEP = new Error('nested too deep')

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return safeText(value)
  if (typeof value !== 'object' || value === null)
    return Number.isFinite(value) || typeof value === 'boolean' ? value : null
  if (depth === 0) throw TOO_DEEP
  if (Array.isArray(value)) return value.map((one: unknown) => cleaned(one, depth - 1))
  const members = Object.entries(value).filter(([name]) => isSafeName(name))
  return Object.fromEntries(members.map(([name, one]) => [name, cleaned(one, depth - 1)]))
}

function isSafeName(name: string): boolean {
  return name.length <= NAME_LIMIT && !TRAPS.has(name) && !/[<>]/.test(name)
}

/** A text as it is when it holds no markup, else with what could do harm taken out; '' for an address that is a script. */
export function safeText(text: string): string {
  const sound = text.toWellFormed()
  if (isScriptAddress(sound)) return ''
  if (!/<[a-z!/?]/i.test(sound)) return sound
  return sanitize(writeTree(buildTree(htmlTokens(sound), VOCABULARY)), VOCABULARY)
}

/** Whether a browser would run the text as an address: it skips spaces and control characters in front and inside. */
export function isScriptAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that browsers skip
  return /^(?:javascript:|vbscript:|data:text\/html)/i.test(text.slice(0, 200).replace(/[\u0000-\u0020]/g, ''))
}
