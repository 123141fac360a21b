// What the buttons and keys of the editor do.
import { baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { Attrs, MarkType, NodeType, Schema } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState, Transaction } from 'prosemirror-state'

/** Whether the selection is within an element of this kind. */
export function isWithin({ selection }: EditorState, name: string): boolean {
  const { $from } = selection
  return Array.from({ length: $from.depth + 1 }, (_, depth) => $from.node(depth).type.name).includes(name)
}

/** Whether what is selected, or typed next, has one of these marks. */
export function isMarked({ selection, doc, storedMarks }: EditorState, names: readonly string[]): boolean {
  const { empty, $from, from, to } = selection
  return names.some((name) => {
    const type = doc.type.schema.marks[name]
    if (type === undefined) return false
    return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type)
  })
}

/** Gives the selection the first of these marks, or takes all of them away: `b` looks as `strong` does. */
export function toggleMarks(schema: Schema, names: readonly string[]): Command {
  const types = names.flatMap((name) => schema.marks[name] ?? [])
  return (state, dispatch) => {
    const [first] = types
    if (first === undefined) return false
    if (!isMarked(state, names)) return toggleMark(first)(state, dispatch)
    dispatch?.(withoutMarks(state, types))
    return true
  }
}

function withoutMarks(state: EditorState, types: readonly MarkType[]): Transaction {
  const { from, to, empty } = state.selection
  return types.reduce((tr, type) => (empty ? tr.removeStoredMark(type) : tr.removeMark(from, to, type)), state.tr)
}

/** Makes headings of paragraphs, and paragraphs of such headings. */
export function toggleText(schema: Schema, name: string): Command {
  const { [name]: wanted, p } = schema.nodes
  return (state, dispatch) => {
    const type = isWithin(state, name) ? p : wanted
    return type !== undefined && setBlockType(type)(state, dispatch)
  }
}

/** Makes a list of paragraphs, and paragraphs of the items of such a list. */
export function toggleList(schema: Schema, name: 'ul' | 'ol'): Command {
  const { [name]: list, li } = schema.nodes
  return (state, dispatch) => {
    if (list === undefined || li === undefined) return false
    if (isWithin(state, name)) return liftListItem(li)(state, dispatch)
    return wrapInList(list)(state, dispatch && ((tr) => dispatch(withItemLines(tr, schema))))
  }
}

/** Items of a new list hold their text themselves, as people write lists in HTML. */
function withItemLines(tr: Transaction, { nodes }: Schema): Transaction {
  const { from, to } = tr.selection
  const found: number[] = []
  tr.doc.nodesBetween(from, to, (node, position, parent) => {
    if (node.type === nodes['p'] && parent?.type === nodes['li'] && parent?.childCount === 1) found.push(position)
  })
  return found.reduce((sum, position) => sum.setNodeMarkup(position, nodes['line']), tr)
}

/** Puts paragraphs into a quote, or takes them out. */
export function toggleQuote({ nodes }: Schema): Command {
  const { blockquote } = nodes
  return (state, dispatch) => {
    if (isWithin(state, 'blockquote')) return lift(state, dispatch)
    return blockquote !== undefined && wrapIn(blockquote)(state, dispatch)
  }
}

/** Puts something without content in place of the selection. */
export function insert(type: NodeType | undefined, attrs: Attrs = {}): Command {
  return (state, dispatch) => {
    if (type === undefined) return false
    dispatch?.(state.tr.replaceSelectionWith(type.create(attrs)).scrollIntoView())
    return true
  }
}

/** The keys of the editor; the key Tab continues to the next control, as everywhere in a form. */
export function keysOf(schema: Schema, openLink: Command): Readonly<Record<string, Command>> {
  const { li, br } = schema.nodes
  const lineBreak = chainCommands(exitCode, insert(br))
  return {
    ...baseKeymap,
    'Mod-b': toggleMarks(schema, ['strong', 'b']),
    'Mod-i': toggleMarks(schema, ['em', 'i']),
    'Mod-k': openLink,
    'Mod-z': undo,
    'Mod-y': redo,
    'Shift-Mod-z': redo,
    'Shift-Enter': lineBreak,
    ...(li !== undefined && {
      Enter: chainCommands(splitListItem(li), baseKeymap['Enter'] ?? (() => false)),
      'Mod-]': sinkListItem(li),
      'Mod-[': liftListItem(li),
    }),
  }
}
