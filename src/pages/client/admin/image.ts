// Images are dropped and pasted as well as chosen, shown before they are sent, and sent by themselves before the form is.
class ImageField extends HTMLElement {
  #form: HTMLFormElement | null = null
  #input: HTMLInputElement | null = null

  connectedCallback(): void {
    const input = this.querySelector<HTMLInputElement>('input[type=file]')
    const form = this.closest('form')
    if (input === null || form === null) return
    this.#input = input
    this.#form = form
    this.classList.add('ready')
    const hint = this.querySelector<HTMLElement>('.drop-hint')
    if (hint !== null) hint.hidden = false
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      if (file !== undefined) this.#show(file)
    })
    this.#takeFrom(form, input)
    // Before whoever listens for what is sent: it is not sent yet.
    form.addEventListener('submit', (event) => this.#onSubmit(event), { capture: true })
  }

  #takeFrom(form: HTMLFormElement, input: HTMLInputElement): void {
    const take = (files: FileList | undefined): boolean => {
      const file = [...(files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file === undefined) return false
      const chosen = new DataTransfer()
      chosen.items.add(file)
      input.files = chosen.files
      this.#show(file)
      form.dispatchEvent(new Event('input', { bubbles: true }))
      return true
    }
    form.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      this.classList.add('over')
    })
    form.addEventListener('dragleave', () => this.classList.remove('over'))
    form.addEventListener('drop', (event) => {
      this.classList.remove('over')
      if (take(event.dataTransfer?.files)) event.preventDefault()
    })
    document.addEventListener('paste', (event) => {
      // What is pasted into a text belongs there.
      if (!event.defaultPrevented && take(event.clipboardData?.files)) event.preventDefault()
    })
  }

  #show(file: File): void {
    // What another image shows says nothing of this one.
    const [alt, shown] = ['alt_text', '_alt'].map((name) =>
      this.#form?.querySelector<HTMLInputElement>(`input[name=${name}]`),
    )
    if (alt && shown && alt.value.trim() === shown.value) alt.value = ''
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const image = this.querySelector('img') ?? document.createElement('img')
      image.className = 'preview'
      image.alt = ''
      image.src = String(reader.result)
      this.prepend(image)
    })
    reader.readAsDataURL(file)
  }

  /** An image goes first and shows its progress; once it is stored the form follows with its ID. */
  #onSubmit(event: SubmitEvent): void {
    const [form, file] = [this.#form, this.#input?.files?.[0]]
    if (form === null || file === undefined) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (this.querySelector('progress') !== null) return
    const { submitter } = event
    const again = (): void => form.requestSubmit(submitter)
    this.#tell('')
    this.#upload(form, file).then(
      (id) => this.#follow(form, { id, again }),
      (error: unknown) => {
        const isRefused = error instanceof Error && error.message !== ''
        if (isRefused) this.#tell(error.message)
        else this.#tell(this.dataset['offline'] ?? '', again)
      },
    )
  }

  /** The form that goes with an image; a page of images alone shows them. */
  #follow(form: HTMLFormElement, { id, again }: { readonly id: string; readonly again: () => void }): void {
    const field = form.querySelector<HTMLInputElement>('input[name=image]')
    if (field === null || this.#input === null) {
      location.assign(`${form.action}?done=saved`)
      return
    }
    field.value = id
    this.#input.value = ''
    again()
  }

  /** Identifier of the image. @throws Error with refused values; without a message where the network is gone */
  #upload(form: HTMLFormElement, file: File): Promise<string> {
    const data = new FormData(form)
    const body = new FormData()
    body.append('alt_text', String(data.get('alt_text') ?? ''))
    body.append('file', file)
    const bar = document.createElement('progress')
    bar.setAttribute('aria-label', this.dataset['sending'] ?? '')
    this.append(bar)
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (!lengthComputable) return
      bar.max = total
      bar.value = loaded
    })
    return new Promise<string>((resolve, reject) => {
      request.addEventListener('load', () => {
        const told = answerIn(request.responseText)
        if (request.status === 201 && told.id !== undefined) resolve(String(told.id))
        else reject(new Error(told.message ?? `HTTP ${request.status}`))
      })
      request.addEventListener('error', () => reject(new Error('')))
      const { lang } = document.documentElement
      request.open('POST', new URL(`../kalends/v1/media?lang=${encodeURIComponent(lang)}`, import.meta.url))
      request.setRequestHeader('X-Kalends-CSRF', String(data.get('_csrf') ?? ''))
      request.send(body)
    }).finally(() => bar.remove())
  }

  /** Says what went wrong, with a button to try it again where that may help. */
  #tell(text: string, again?: () => void): void {
    this.querySelector('.failed')?.remove()
    if (text === '') return
    const note = document.createElement('p')
    note.className = 'wrong failed'
    note.setAttribute('role', 'alert')
    note.append(text)
    if (again !== undefined) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'second small'
      button.textContent = this.dataset['retry'] ?? ''
      button.addEventListener('click', again)
      note.append(' ', button)
    }
    this.append(note)
    note.scrollIntoView({ block: 'center' })
  }
}
customElements.define('image-field', ImageField)

function answerIn(text: string): { readonly id?: number; readonly message?: string } {
  try {
    return JSON.parse(text) as { readonly id?: number; readonly message?: string }
  } catch {
    return {}
  }
}

export {}
