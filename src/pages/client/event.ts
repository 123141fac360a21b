// The page of an event: the time on the visitor's clock, and sharing by whatever the device has.
const time = document.querySelector<HTMLTimeElement>('article.event .when time')
const beside = document.querySelector<HTMLElement>('[data-visitor-time]')

if (time !== null && beside !== null && time.dateTime.length > 10) {
  const moment = new Date(time.dateTime)
  const isSameDay = time.dateTime.startsWith(new Intl.DateTimeFormat('sv').format(moment))
  const day = isSameDay ? {} : ({ dateStyle: 'full' } as const)
  const own = new Intl.DateTimeFormat(beside.dataset['locale'], { ...day, timeStyle: 'short' })
  // The offset of the event is at the end of its moment: the same clock needs no second time.
  const offset = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime)
  const minutes = offset === null ? 0 : (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
  if (-moment.getTimezoneOffset() !== minutes) {
    beside.textContent = `${beside.dataset['label']}: ${own.format(moment)}`
    beside.hidden = false
  }
}

/** A menu of ways to share: devices that share by themselves do that in its place, others copy the address as well. */
class EventShare extends HTMLElement {
  connectedCallback(): void {
    const menu = this.querySelector('details')
    const summary = menu?.querySelector('summary')
    if (menu === null || summary === null || summary === undefined) return
    const address = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href
    if (typeof navigator.share === 'function') {
      const button = newButton(summary.textContent ?? '', () => {
        navigator.share({ title: this.dataset['title'] ?? '', url: address }).catch(() => undefined)
      })
      button.className = 'button'
      menu.replaceWith(button)
      return
    }
    // Without encryption pages have no clipboard.
    if (!('clipboard' in navigator)) return
    const told = document.createElement('span')
    told.setAttribute('role', 'status')
    told.className = 'told'
    const copied = (): void => {
      told.textContent = this.dataset['copied'] ?? ''
      menu.open = false
      summary.focus()
    }
    const copy = (): void => void navigator.clipboard.writeText(address).then(copied, () => undefined)
    const item = document.createElement('li')
    item.append(newButton(this.dataset['copy'] ?? '', copy))
    menu.querySelector('ul')?.append(item)
    this.append(told)
  }
}
customElements.define('event-share', EventShare)

function newButton(text: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', act)
  return button
}

export {}
