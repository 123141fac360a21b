// Descriptions are written as they will look. The text field below stays what is sent: it changes only when someone writes,
// and where the editor could not hold all of a text, the field itself is shown.
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { type Node as EditorNode, DOMParser as EditorParser, type Schema } from 'prosemirror-model'
import { type Command, EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { isMarked, isWithin, keysOf, toggleList, toggleMarks, toggleQuote, toggleText } from './rich/commands.ts'
import { blocksOf, fullSerializer, outlineOf, readBlocks, withoutObeyed, writtenText } from './rich/html.ts'
import { addImage, editLink, type RichPage } from './rich/links.ts'
import { type RichVocabulary, schemaOf } from './rich/schema.ts'
import { type RichButton, type Toolbar, toolbarOf } from './rich/toolbar.ts'

/** Longer texts are changed in their source: the editor would be slow. */
const LONGEST = 200_000

/** Attributes of what comes from elsewhere that would make it look as it does there. */
const FOREIGN = /\s(?:class|id|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*)/gi

class RichText extends HTMLElement {
  #field: HTMLTextAreaElement | null = null
  #view: EditorView | undefined
  #toolbar: Toolbar | undefined
  #schema: Schema | undefined
  #blocks: ReadonlySet<string> = new Set()
  /** The value of the field when the editor took it, and the document made from it. */
  #taken: { readonly text: string; readonly doc: EditorNode } | undefined
  /** Whether the editor has something that the field does not say yet. */
  #isAhead = false
  readonly #note = document.createElement('p')

  connectedCallback(): void {
    const field = this.querySelector('textarea')
    if (field === null || this.#field !== null) return
    this.#field = field
    const vocabulary = JSON.parse(this.dataset['vocabulary'] ?? '') as RichVocabulary
    this.#schema = schemaOf(vocabulary)
    this.#blocks = new Set(vocabulary.blocks)
    this.#toolbar = toolbarOf(this.#t('admin.editor.formatting'), this.#buttons(this.#schema))
    this.#note.className = 'hint'
    this.#note.setAttribute('aria-live', 'polite')
    field.before(this.#toolbar.element)
    field.after(this.#note)
    this.#listen(field)
    this.#open()
  }

  #listen(field: HTMLTextAreaElement): void {
    const { form } = field
    form?.addEventListener('formdata', ({ formData }) => {
      this.#write()
      formData.set(field.name, field.value)
    })
    // A draft that is restored fills the field.
    form?.addEventListener('input', ({ target }) => {
      if (target === form && this.#view !== undefined && !this.#isAhead && field.value !== this.#taken?.text)
        this.#open()
    })
    this.querySelector('label')?.addEventListener('click', () => this.#view?.focus())
  }

  #t(text: string): string {
    const texts = JSON.parse(this.dataset['texts'] ?? '{}') as Readonly<Record<string, string>>
    return texts[text] ?? text
  }

  #page(): RichPage {
    const csrf = this.#field?.form?.querySelector<HTMLInputElement>('input[name=_csrf]')?.value ?? ''
    return { t: (text) => this.#t(text), csrf, mayUpload: this.hasAttribute('data-upload') }
  }

  #buttons(schema: Schema): readonly RichButton[] {
    const run = (command: Command) => (): void => {
      const view = this.#view
      if (view === undefined) return
      command(view.state, view.dispatch, view)
      view.focus()
    }
    const asks = (step: (view: EditorView, page: RichPage) => Promise<void>) => (): void => {
      if (this.#view !== undefined) void step(this.#view, this.#page())
    }
    const marked = (names: readonly string[]) => (): boolean =>
      this.#view !== undefined && isMarked(this.#view.state, names)
    const within = (name: string) => (): boolean => this.#view !== undefined && isWithin(this.#view.state, name)
    const mark = (shown: { name: string; look: string; keys: string }, names: readonly string[]): RichButton => ({
      ...shown,
      press: run(toggleMarks(schema, names)),
      isOn: marked(names),
    })
    return [
      mark({ name: this.#t('admin.editor.bold'), look: 'B', keys: 'Ctrl+B' }, ['strong', 'b']),
      mark({ name: this.#t('admin.editor.italic'), look: 'I', keys: 'Ctrl+I' }, ['em', 'i']),
      { name: this.#t('admin.editor.heading'), look: 'H', press: run(toggleText(schema, 'h2')), isOn: within('h2') },
      { name: this.#t('admin.editor.subheading'), look: 'h', press: run(toggleText(schema, 'h3')), isOn: within('h3') },
      {
        name: this.#t('admin.editor.bulletList'),
        look: 'list',
        press: run(toggleList(schema, 'ul')),
        isOn: within('ul'),
      },
      {
        name: this.#t('admin.editor.numberedList'),
        look: 'numbers',
        press: run(toggleList(schema, 'ol')),
        isOn: within('ol'),
      },
      {
        name: this.#t('admin.editor.quote'),
        look: 'quote',
        press: run(toggleQuote(schema)),
        isOn: within('blockquote'),
      },
      { name: this.#t('admin.editor.link'), look: 'link', keys: 'Ctrl+K', press: asks(editLink), isOn: marked(['a']) },
      { name: this.#t('admin.editor.image'), look: 'picture', press: asks(addImage) },
      {
        name: this.#t('admin.editor.htmlSource'),
        look: 'source',
        press: () => this.#toggleSource(),
        isOn: () => this.#view === undefined,
        isAlways: true,
      },
    ]
  }

  /** Shows the editor with what the field says, or the field where the editor could not give all of it back. */
  #open(): void {
    const [field, schema] = [this.#field, this.#schema]
    if (field === null || schema === undefined) return
    const text = field.value
    const isBlock = (name: string): boolean => this.#blocks.has(name)
    const blocks = text.length > LONGEST ? undefined : blocksOf(text, isBlock)
    const doc = blocks && readBlocks(schema, blocks)
    const isHeld =
      blocks !== undefined &&
      doc !== undefined &&
      outlineOf(blocks, isBlock) === outlineOf(blocksOf(writtenText(doc), isBlock), isBlock)
    if (!isHeld) {
      this.#close()
      const long = this.#t('admin.editor.tooLong')
      this.#note.textContent = blocks === undefined ? long : this.#t('admin.editor.unsupported')
      return
    }
    this.#note.textContent = ''
    this.#taken = { text, doc }
    this.#isAhead = false
    if (this.#view === undefined) this.#view = this.#viewOf(field, doc)
    else this.#view.updateState(this.#stateOf(doc))
    this.#show(true)
  }

  #close(): void {
    this.#write()
    this.#view?.destroy()
    this.#view = undefined
    this.#show(false)
  }

  #show(isEditor: boolean): void {
    const field = this.#field
    if (field === null) return
    field.hidden = isEditor
    const label = this.querySelector('label')
    if (isEditor) label?.removeAttribute('for')
    else label?.setAttribute('for', field.id)
    const hint = this.querySelector<HTMLElement>(`#${field.id}-hint`)
    if (hint !== null) hint.hidden = isEditor
    this.#toolbar?.update(!isEditor)
  }

  #toggleSource(): void {
    if (this.#view === undefined) {
      this.#open()
      return
    }
    this.#close()
    this.#field?.focus()
  }

  #stateOf(doc: EditorNode): EditorState {
    const openLink: Command = (_state, _dispatch, view) => {
      if (view !== undefined) void editLink(view, this.#page())
      return true
    }
    return EditorState.create({ doc, plugins: [history(), keymap(keysOf(doc.type.schema, openLink)), gapCursor()] })
  }

  #viewOf(field: HTMLTextAreaElement, doc: EditorNode): EditorView {
    const label = this.querySelector('label')
    if (label !== null) label.id = `${field.id}-label`
    const wrong = this.querySelector(`#${field.id}-wrong`)
    const { schema } = doc.type
    return new EditorView((editor) => field.before(editor), {
      state: this.#stateOf(doc),
      attributes: {
        class: 'rich',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${field.id}-label`,
        dir: 'auto',
        ...(wrong !== null && { 'aria-describedby': wrong.id, 'aria-invalid': 'true' }),
      },
      clipboardSerializer: fullSerializer(schema),
      clipboardParser: EditorParser.fromSchema(schema),
      transformPastedHTML: (markup) =>
        withoutObeyed(markup.includes('data-pm-slice') ? markup : markup.replaceAll(FOREIGN, '')),
      dispatchTransaction: (transaction) => {
        const view = this.#view
        if (view === undefined) return
        view.updateState(view.state.apply(transaction))
        this.#toolbar?.update(false)
        if (!transaction.docChanged) return
        this.#isAhead = true
        field.dispatchEvent(new Event('input', { bubbles: true }))
      },
    })
  }

  /** Writes the text of the editor into the field; an unchanged text stays word for word. */
  #write(): void {
    if (!this.#isAhead || this.#view === undefined || this.#field === null) return
    const { doc } = this.#view.state
    this.#isAhead = false
    this.#field.value = this.#taken?.doc.eq(doc) === true ? this.#taken.text : writtenText(doc)
    this.#taken = { text: this.#field.value, doc }
  }
}
customElements.define('rich-text', RichText)
