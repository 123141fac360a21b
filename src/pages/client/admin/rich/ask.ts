// A dialog with a few fields. It lies outside of the form of the page, so that nothing in it is sent along.

/** What is asked for. */
export interface DialogQuestion {
  readonly title: string
  readonly fields: readonly {
    readonly name: string
    readonly label: string
    readonly value: string
    readonly type: string
  }[]
  /** Text of the button that continues. */
  readonly confirm: string
  /** Text of a button that removes the existing value; the answer then has `remove`. */
  readonly remove?: string
  /** What is tried before the dialog closes. @throws Error with a text for people, which is shown in it */
  attempt?(answer: FormData): Promise<void>
}

/** What was filled in; undefined where someone thought better of it. */
export function ask(t: (text: string) => string, question: DialogQuestion): Promise<FormData | undefined> {
  const dialog = document.createElement('dialog')
  const form = dialogForm(t, question)
  const alert = form.querySelector<HTMLElement>('.wrong')
  dialog.className = 'ask'
  dialog.append(form)
  dialog.setAttribute('aria-labelledby', 'ask-title')
  document.body.append(dialog)
  return new Promise((resolve) => {
    let answer: FormData | undefined
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      const given = new FormData(form, event.submitter)
      const buttons = [...form.querySelectorAll('button')]
      for (const button of buttons) button.disabled = true
      const attempt = given.has('remove') ? undefined : question.attempt?.(given)
      Promise.resolve(attempt).then(
        () => {
          answer = given
          dialog.close()
        },
        (error: unknown) => {
          for (const button of buttons) button.disabled = false
          if (alert !== null) alert.textContent = error instanceof Error ? error.message : String(error)
        },
      )
    })
    form.querySelector('[value=cancel]')?.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(answer)
    })
    dialog.showModal()
  })
}

function dialogForm(t: (text: string) => string, { title, fields, confirm, remove }: DialogQuestion): HTMLFormElement {
  const form = document.createElement('form')
  const heading = made('h2', { id: 'ask-title' }, title)
  const controls = fields.map(({ name, label, value, type }) => {
    const field = made('div', { class: 'field' })
    const input = made('input', {
      id: `ask-${name}`,
      name,
      type,
      dir: 'auto',
      ...(type === 'file' && { accept: 'image/*' }),
    })
    if (type !== 'file') input.setAttribute('value', value)
    field.append(made('label', { for: `ask-${name}` }, label), input)
    return field
  })
  const buttons = made('div', { class: 'buttons' })
  buttons.append(made('button', {}, confirm))
  if (remove !== undefined) buttons.append(made('button', { class: 'bad', name: 'remove', value: 'true' }, remove))
  buttons.append(made('button', { class: 'second', type: 'button', value: 'cancel' }, t('admin.editor.cancel')))
  form.append(heading, ...controls, made('p', { class: 'wrong', role: 'alert' }), buttons)
  return form
}

function made(name: string, attributes: Readonly<Record<string, string>>, text = ''): HTMLElement {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.textContent = text
  return element
}
