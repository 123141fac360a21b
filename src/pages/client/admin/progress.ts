// Follows work in the background: says how far it is, and shows the report when it is done.
const PAUSE = 2_000

class WorkProgress extends HTMLElement {
  #isTouched = false

  connectedCallback(): void {
    // Whoever writes into a form of the page is not sent elsewhere.
    document.addEventListener('input', () => {
      this.#isTouched = true
    })
    void this.#follow()
  }

  async #follow(): Promise<void> {
    while (this.isConnected) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      const page = document.hidden ? undefined : await pageNow()
      if (page === undefined) continue
      const now = page.querySelector('work-progress')
      if (now === null) return this.#end()
      if (now.textContent !== this.textContent) this.replaceChildren(...now.childNodes)
    }
  }

  #end(): void {
    const report = this.dataset['report'] ?? location.href
    if (!this.#isTouched) {
      location.assign(report)
      return
    }
    const link = this.querySelector('a')
    this.replaceChildren(`${this.dataset['done'] ?? ''} `, ...(link === null ? [] : [link]))
  }
}
customElements.define('work-progress', WorkProgress)

/** The page as it is now; undefined while it cannot be had. */
async function pageNow(): Promise<Document | undefined> {
  try {
    const response = await fetch(location.href)
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}

export {}
