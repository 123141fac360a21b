// What the rule of the form means, while it is being written.
const PAUSE = 300

class RepeatPreview extends HTMLElement {
  #timer = 0
  #turn = 0

  connectedCallback(): void {
    const form = this.closest('form')
    // The button is for browsers without scripts.
    const button = form?.querySelector<HTMLButtonElement>('button[value="dates"]')
    if (button) button.hidden = true
    form?.addEventListener('input', ({ target }) => {
      const isOurs = target instanceof HTMLElement && target.closest('.repeats, .when') !== null
      if (!isOurs) return
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#show(form), PAUSE)
    })
  }

  async #show(form: HTMLFormElement): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    const fields = [...new FormData(form)].filter((entry): entry is [string, string] => {
      const [name, value] = entry
      return typeof value === 'string' && /^(repeat|start_date|end_date|all_day|timezone|_csrf)/.test(name)
    })
    try {
      const response = await fetch('/admin/recurrence', { method: 'POST', body: new URLSearchParams(fields) })
      const shown = response.ok ? await response.text() : ''
      // Only the last question is answered.
      if (turn === this.#turn)
        this.replaceChildren(...new DOMParser().parseFromString(shown, 'text/html').body.childNodes)
    } catch {
      // Without a network nothing is previewed.
    }
  }
}
customElements.define('repeat-preview', RepeatPreview)

export {}
