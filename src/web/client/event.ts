// The page of an event: the time on the visitor's clock, and sharing by whatever the device has.
const time = document.querySelector<HTMLTimeElement>('article.event .when time')
const beside = document.querySelector<HTMLElement>('[data-visitor-time]')

if (time !== null && beside !== null && time.dateTime.length > 10) {
  const moment = new Date(time.dateTime)
  const language = document.documentElement.lang
  const own = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'full',
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  // The offset of the event is at the end of its moment: the same clock needs no second time.
  const offset = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime)
  const minutes = offset === null ? 0 : (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3]))
  if (-moment.getTimezoneOffset() !== minutes) {
    beside.textContent = `${beside.dataset['label']}: ${own.format(moment)}`
    beside.hidden = false
  }
}

/** A link that sends a mail becomes a button that shares, or copies the address. */
class EventShare extends HTMLElement {
  connectedCallback(): void {
    const address = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button'
    const mayShare = typeof navigator.share === 'function'
    button.textContent = (mayShare ? this.querySelector('a')?.textContent : this.dataset['copy']) ?? ''
    const told = document.createElement('span')
    told.setAttribute('role', 'status')
    told.className = 'told'
    button.addEventListener('click', () => {
      if (mayShare) {
        navigator.share({ title: this.dataset['title'] ?? '', url: address }).catch(() => undefined)
        return
      }
      navigator.clipboard.writeText(address).then(
        () => {
          told.textContent = this.dataset['copied'] ?? ''
        },
        () => undefined,
      )
    })
    this.replaceChildren(button, told)
  }
}
customElements.define('event-share', EventShare)

export {}
