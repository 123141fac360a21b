// Pictures are dropped and pasted as well as chosen, and shown before they are sent.
class PictureField extends HTMLElement {
  connectedCallback(): void {
    const input = this.querySelector<HTMLInputElement>('input[type=file]')
    const form = this.closest('form')
    if (input === null || form === null) return
    this.classList.add('ready')
    const hint = this.querySelector<HTMLElement>('.drop-hint')
    if (hint !== null) hint.hidden = false
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
    input.addEventListener('change', () => {
      const file = input.files?.[0]
      if (file !== undefined) this.#show(file)
    })
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
      if (take(event.clipboardData?.files)) event.preventDefault()
    })
    if (form.hasAttribute('data-progress')) form.addEventListener('submit', (event) => this.#send(event, form))
  }

  #show(file: File): void {
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

  /** Sends the form in place of the browser, which would not tell how far it is. */
  #send(event: SubmitEvent, form: HTMLFormElement): void {
    event.preventDefault()
    const bar = document.createElement('progress')
    bar.setAttribute('aria-label', this.dataset['sending'] ?? '')
    this.append(bar)
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (!lengthComputable) return
      bar.max = total
      bar.value = loaded
    })
    // What went wrong is told by the page that the browser gets itself.
    const fail = (): void => {
      bar.remove()
      form.submit()
    }
    request.addEventListener('load', () => (request.status === 200 ? location.assign(request.responseURL) : fail()))
    request.addEventListener('error', fail)
    request.open('POST', form.action)
    request.send(new FormData(form))
  }
}
customElements.define('picture-field', PictureField)

export {}
