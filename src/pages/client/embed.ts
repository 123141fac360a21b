// <kalends-calendar src="https://calendar.example" view="list" category="music">: a calendar on any page, in the language of the
// element or of what is around it. `tag`, `venue`, `organizer` or `series` in place of `category` name another part by its slug,
// `filter` has parameters of lists: `cost=free`. The list is read as JSON Feed and drawn here; other views are a frame of the
// page itself.
interface FeedItem {
  readonly url: string
  readonly title: string
  readonly content_html: string
  readonly image?: string
}

const STYLE = `
:host { display: block; font: 1rem/1.5 system-ui, sans-serif; color: inherit; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; gap: 1rem; padding: .85rem 0; border-top: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
li:first-child { border-top: 0; }
img { width: 6.5rem; aspect-ratio: 4 / 3; object-fit: cover; border-radius: .5rem; flex: none; }
a { color: inherit; font-weight: 650; }
p { margin: .15rem 0 0; opacity: .8; }
iframe { width: 100%; height: 44rem; border: 0; }
`

/** What a calendar is called in the languages of its pages. */
const CALENDAR: Readonly<Record<string, string>> = {
  ...{ en: 'Calendar', de: 'Kalender', fr: 'Calendrier', es: 'Calendario', it: 'Calendario', nl: 'Kalender' },
  ...{ pt: 'Calendário', pl: 'Kalendarz', ja: 'カレンダー', zh: '日历', ar: 'التقويم' },
}

/** Attributes that name a part of a calendar, with the beginning of its path. */
const PARTS = [
  ['category', '/events/category/'],
  ['tag', '/events/tag/'],
  ['venue', '/venue/'],
  ['organizer', '/organizer/'],
  ['series', '/series/'],
] as const

class KalendsCalendar extends HTMLElement {
  static readonly observedAttributes = ['src', 'view', 'filter', 'lang', ...PARTS.map(([name]) => name)]
  readonly #root = this.attachShadow({ mode: 'open' })
  #turn = 0
  #listening: AbortController | undefined

  connectedCallback(): void {
    // Not an element: the page around may allow none.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    this.#root.adoptedStyleSheets = [sheet]
    this.#show()
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#show()
  }

  #show(): void {
    const origin = (this.getAttribute('src') ?? new URL(import.meta.url).origin).replace(/\/+$/, '')
    if (!/^https?:\/\//.test(origin)) return
    const view = this.getAttribute('view') ?? 'list'
    const language = this.#language()
    const below = `${origin}${language === undefined ? '' : `/${language}`}${this.#part()}`
    const filter = new URLSearchParams(this.getAttribute('filter') ?? '')
    this.#turn += 1
    const turn = this.#turn
    if (view !== 'list') {
      const frame = document.createElement('iframe')
      filter.set('embed', '1')
      frame.src = `${below}${view === 'week' ? 'week/' : 'month/'}?${filter}`
      this.#follow(frame, origin)
      frame.title = this.getAttribute('title') ?? CALENDAR[language ?? 'en'] ?? ''
      this.#fill(frame)
      return
    }
    const query = filter.size === 0 ? '' : `?${filter}`
    fetch(`${below}feed.json${query}`)
      .then((response) => (response.ok ? response.json() : { items: [] }))
      .then(({ items, title = origin }: { items: readonly FeedItem[]; title?: string }) => {
        // Where nothing is planned the calendar itself has more to say.
        if (turn === this.#turn) this.#fill(items.length > 0 ? listOf(items) : linkTo(below + query, title))
      })
      .catch(() => {
        if (turn === this.#turn) this.#fill(linkTo(below + query, origin))
      })
  }

  /** Has a frame grow with its page, which says how tall it is. */
  #follow(frame: HTMLIFrameElement, origin: string): void {
    this.#listening?.abort()
    this.#listening = new AbortController()
    const { signal } = this.#listening
    const grow = ({ data, source, origin: from }: MessageEvent): void => {
      const height: unknown = data?.kalendsHeight
      if (source !== frame.contentWindow || from !== new URL(origin).origin || typeof height !== 'number') return
      frame.style.height = `${Math.min(Math.max(height, 100), 20_000)}px`
    }
    window.addEventListener('message', grow, { signal })
  }

  disconnectedCallback(): void {
    this.#listening?.abort()
  }

  /** The language of the page around, where the calendar has pages in it. */
  #language(): string | undefined {
    const said = this.closest('[lang]')?.getAttribute('lang') ?? ''
    const [language = ''] = said.toLowerCase().split('-')
    return Object.hasOwn(CALENDAR, language) ? language : undefined
  }

  /** Path of the part of the calendar that is shown. */
  #part(): string {
    for (const [name, above] of PARTS) {
      const slugs = this.getAttribute(name) ?? ''
      if (slugs !== '') return `${above}${slugs.split('/').map(encodeURIComponent).join('/')}/`
    }
    return '/events/'
  }

  #fill(content: Element): void {
    this.#root.replaceChildren(content)
  }
}

function linkTo(address: string, text: string): Element {
  const link = document.createElement('a')
  link.href = address
  link.textContent = text
  return link
}

function listOf(items: readonly FeedItem[]): Element {
  const list = document.createElement('ul')
  for (const { url, title, image, content_html } of items.slice(0, 20)) {
    const item = document.createElement('li')
    if (image !== undefined) {
      const picture = document.createElement('img')
      picture.src = image
      picture.alt = ''
      picture.loading = 'lazy'
      item.append(picture)
    }
    const link = document.createElement('a')
    link.href = url
    link.textContent = title
    const line = document.createElement('p')
    // Only its first paragraph, with when and where, and only as text.
    const first = new DOMParser().parseFromString(content_html, 'text/html').querySelector('p')
    first?.querySelector('br')?.replaceWith(' · ')
    line.textContent = first?.textContent ?? ''
    const words = document.createElement('div')
    words.append(link, line)
    item.append(words)
    list.append(item)
  }
  return list
}

if (customElements.get('kalends-calendar') === undefined) customElements.define('kalends-calendar', KalendsCalendar)
