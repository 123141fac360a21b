import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'

/** A function that was entered. */
export interface Entry {
  /** Its file, from the root of the project. */
  readonly file: string
  /** Line on which its body starts, from 1. */
  readonly line: number
  /** Its own name, else that of the method or variable it was given to; empty when it has none. */
  readonly name: string
}

interface Insertion {
  readonly at: number
  readonly text: string
}

/** A node of the syntax tree of swc; which members there are depends on its type. */
interface SyntaxNode {
  readonly type?: string
  readonly span?: { readonly start: number; readonly end: number }
  readonly body?: SyntaxNode | null
  readonly function?: SyntaxNode
  readonly identifier?: { readonly value: string }
  readonly key?: { readonly value?: unknown; readonly id?: { readonly value: string } }
  readonly id?: { readonly value?: string }
}

/** Starts every parsed text, so that offsets count from it: swc gives places in all that it has parsed so far. */
const START = '0;'

const entries: Entry[] = []
let isRecording = false
const known: Entry[] = []

/**
 * Has every function of the modules below `folder` report when it is entered. Only modules that are loaded after this
 * call report, so the program to trace is imported dynamically. Other processes and threads are not traced.
 */
export function instrument(root: string, folder: string): void {
  const below = `${folder}${sep}`
  Object.assign(globalThis, {
    enterTraced: (id: number): void => {
      if (isRecording) entries.push(known[id] as Entry)
    },
  })
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
      const path = fileURLToPath(url)
      if (!path.startsWith(below)) return next(url, context)
      const source = reporting(stripTypeScriptTypes(readFileSync(path, 'utf8')), relative(root, path))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}

/** All functions that are entered while `step` runs, in order. */
export async function entriesOf(step: () => Promise<void>): Promise<readonly Entry[]> {
  entries.length = 0
  isRecording = true
  try {
    await step()
  } finally {
    isRecording = false
  }
  return [...entries]
}

/** How long nothing is entered before it counts as quiet, in milliseconds. */
const QUIET = 500

/** Resolves when no function has been entered for a while: what earlier steps left to the background has ended. */
export async function quiet(): Promise<void> {
  while ((await entriesOf(() => setTimeout(QUIET))).length > 0);
}

/** A program whose functions report that they are entered; without types. */
function reporting(source: string, file: string): string {
  const bytes = Buffer.from(START + source)
  const program = parseSync(bytes.toString(), { syntax: 'ecmascript', target: 'es2024' })
  const offset = program.span.start
  const insertions: Insertion[] = []
  collect(program as unknown as SyntaxNode, '', (node, name) => {
    const { body } = node
    if (body?.span === undefined) return
    const start = body.span.start - offset
    const line = bytes.subarray(0, start).toString().split('\n').length
    const call = `enterTraced(${known.push({ file, line, name }) - 1})`
    if (BLOCKS.has(body.type ?? '')) insertions.push({ at: start + 1, text: `${call};` })
    else insertions.push({ at: start, text: `(${call},` }, { at: body.span.end - offset, text: ')' })
  })
  return inserted(bytes, insertions).slice(START.length)
}

const BLOCKS = new Set(['BlockStatement', 'FunctionBody'])

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'MethodProperty',
  'GetterProperty',
  'SetterProperty',
  'Constructor',
])

/** Calls `found` for each node with the body of a function, and for the name it goes by. */
function collect(node: SyntaxNode, name: string, found: (node: SyntaxNode, name: string) => void): void {
  const own = nameOf(node) ?? name
  // The function of a method, getter or setter is a node without a type.
  if (node.function !== undefined) found(node.function, own)
  else if (FUNCTIONS.has(node.type ?? '')) found(node, own)
  for (const [member, part] of Object.entries(node)) {
    if (member === 'span' || typeof part !== 'object' || part === null) continue
    for (const child of Array.isArray(part) ? part : [part])
      if (typeof child === 'object' && child !== null) collect(child as SyntaxNode, own, found)
  }
}

function nameOf({ identifier, key, id }: SyntaxNode): string | undefined {
  const name = identifier?.value ?? key?.value ?? key?.id?.value ?? id?.value
  return typeof name === 'string' ? name : undefined
}

function inserted(bytes: Buffer, insertions: readonly Insertion[]): string {
  const sorted = insertions.toSorted((one, other) => one.at - other.at)
  let from = 0
  let text = ''
  for (const { at, text: added } of sorted) {
    text += bytes.toString('utf8', from, at) + added
    from = at
  }
  return text + bytes.toString('utf8', from)
}
