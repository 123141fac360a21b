// A map of places, which nobody is asked for before someone presses the button: then the library and the tiles are loaded.
interface Layer {
  addTo(map: LeafletMap): this
}
interface Marker extends Layer {
  bindPopup(content: HTMLElement, options: object): this
  on(name: string, run: () => void): this
  getElement(): HTMLElement | undefined
}
interface LeafletMap {
  fitBounds(bounds: readonly (readonly [number, number])[], options: object): this
}
interface Leaflet {
  map(place: HTMLElement, options: object): LeafletMap
  tileLayer(address: string, options: object): Layer
  marker(at: readonly [number, number], options: object): Marker
  divIcon(options: object): object
  control: { zoom(options: object): Layer }
}

/** A place of the page: the element that says where it is, and what is said about it. */
interface Place {
  readonly at: readonly [number, number]
  readonly name: string
  readonly links: readonly HTMLAnchorElement[]
}

function placesOfPage(): Place[] {
  return [...document.querySelectorAll<HTMLElement>('[data-lat][data-lng]')].map((element) => {
    const at = [Number(element.dataset['lat']), Number(element.dataset['lng'])] as const
    const links = [...element.querySelectorAll<HTMLAnchorElement>('[data-place], .title a')].slice(0, 6)
    return { at, name: element.dataset['name'] ?? '', links }
  })
}

/** The content of a marker: names and links as text, whatever they contain. */
function popupOf({ name, links }: Place): HTMLElement {
  const box = document.createElement('div')
  box.dir = 'auto'
  const heading = document.createElement('strong')
  heading.textContent = name
  box.append(heading)
  for (const link of links) {
    const copy = document.createElement('a')
    copy.href = link.href
    copy.textContent = link.textContent
    if (copy.textContent !== name) box.append(copy)
    else heading.replaceChildren(copy)
  }
  return box
}

function loaded(element: HTMLLinkElement | HTMLScriptElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', () => reject(new Error('not loaded')))
    document.head.append(element)
  })
}

async function library(style: string, script: string): Promise<Leaflet> {
  const known = (window as unknown as { L?: Leaflet }).L
  if (known !== undefined) return known
  const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style })
  const code = Object.assign(document.createElement('script'), { src: script })
  await Promise.all([loaded(sheet), loaded(code)])
  return (window as unknown as { L: Leaflet }).L
}

/** A button that becomes a map. */
class EventMap extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('button')
    this.hidden = false
    button?.addEventListener('click', () => {
      button.disabled = true
      this.#show().catch(() => {
        button.disabled = false
      })
    })
  }

  async #show(): Promise<void> {
    const { tiles = '', attribution = '', sheet = '', script = '', zoomIn = '', zoomOut = '' } = this.dataset
    const leaflet = await library(sheet, script)
    const places = placesOfPage()
    const frame = document.createElement('div')
    frame.className = 'map'
    frame.dir = 'ltr'
    frame.tabIndex = 0
    frame.setAttribute('role', 'region')
    frame.setAttribute('aria-label', this.dataset['label'] ?? '')
    this.replaceChildren(frame)
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    const motion = { zoomAnimation: !calm, fadeAnimation: !calm, markerZoomAnimation: !calm, inertia: !calm }
    const map = leaflet.map(frame, { scrollWheelZoom: false, zoomControl: false, ...motion })
    leaflet.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map)
    const source = document.createElement('span')
    source.textContent = attribution
    // The library takes markup here: text is escaped first.
    leaflet.tileLayer(tiles, { attribution: source.innerHTML, maxZoom: 19 }).addTo(map)
    const bounds = places.map(({ at }) => at)
    map.fitBounds(bounds, { maxZoom: 15, padding: [40, 40], animate: false })
    for (const place of places) mark(leaflet, map, place)
    frame.focus({ preventScroll: true })
  }
}

function mark(leaflet: Leaflet, map: LeafletMap, place: Place): void {
  const icon = leaflet.divIcon({
    className: 'map-pin',
    iconSize: [28, 28],
    iconAnchor: [14, 28],
    popupAnchor: [0, -26],
  })
  const popup = popupOf(place)
  const marker = leaflet.marker(place.at, { icon, title: place.name, alt: place.name, keyboard: true }).addTo(map)
  marker.bindPopup(popup, { closeButton: false, maxWidth: 260, autoPan: true })
  // Who comes by keyboard continues in what was opened, and comes back to the marker.
  marker.on('popupopen', () => popup.querySelector('a')?.focus({ preventScroll: true }))
  marker.on('popupclose', () => {
    if (popup.contains(document.activeElement)) marker.getElement()?.focus({ preventScroll: true })
  })
}

customElements.define('event-map', EventMap)

export {}
