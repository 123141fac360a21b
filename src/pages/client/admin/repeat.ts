// What the rule of the form means, while it is being written.
const PAUSE = 300

const OURS = /^(repeat|start_date|end_date|all_day|timezone|_rule_start)/

/** What the form started with, as far as it says when the event takes place. */
function begunWith(form: HTMLFormElement): string {
  const text = form.querySelector<HTMLInputElement>('input[name="_base"]')?.value ?? '{}'
  const begun = Object.entries(JSON.parse(text) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(begun.filter(([name]) => OURS.test(name))))
}

class RepeatPreview extends HTMLElement {
  #timer = 0
  #turn = 0

  connectedCallback(): void {
    const form = this.closest('form')
    // The button is for browsers without scripts.
    const button = form?.querySelector<HTMLButtonElement>('button[value="dates"]')
    if (button) button.hidden = true
    form?.addEventListener('input', ({ target }) => {
      const isOurs = target instanceof HTMLElement && target.closest('.repeats, .when, .scope') !== null
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
      return typeof value === 'string' && (OURS.test(name) || name === '_csrf' || name === 'scope')
    })
    fields.push(['_base', begunWith(form)])
    try {
      const response = await fetch(new URL('../admin/recurrence', import.meta.url), {
        method: 'POST',
        body: new URLSearchParams(fields),
      })
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
