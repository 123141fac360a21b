// The reference of the API: Swagger UI, whose requests carry the token of the session.
interface SentRequest {
  readonly url: string
  readonly headers: Record<string, string>
}

type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown

/** Gives controls that Swagger UI leaves unnamed the name of their parameter. */
function complete(place: HTMLElement): void {
  for (const control of place.querySelectorAll('select, textarea, input')) {
    if (control.hasAttribute('aria-label') || control.closest('label') !== null) continue
    const row = control.closest('tr')?.querySelector('.parameter__name, .response-col_status')
    const text = row?.firstChild?.textContent ?? control.getAttribute('title') ?? control.getAttribute('placeholder')
    control.setAttribute('aria-label', text?.trim() || 'Value')
  }
}

/** Swagger UI has colors of its own for dark pages, by a class. */
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const followColours = (): void => void document.documentElement.classList.toggle('dark-mode', dark.matches)
followColours()
dark.addEventListener('change', followColours)

const place = document.querySelector<HTMLElement>('#reference')
const { SwaggerUIBundle } = window as unknown as { readonly SwaggerUIBundle?: SwaggerUi }

if (place !== null && SwaggerUIBundle !== undefined) {
  const create = document.createElement.bind(document) as (...given: readonly unknown[]) => HTMLElement
  // A page has one main part, and Swagger UI makes another one.
  document.createElement = ((name: string, ...more: readonly unknown[]) =>
    create(name === 'main' ? 'div' : name, ...more)) as typeof document.createElement
  const { csrf = '', document: address = '' } = place.dataset
  new MutationObserver(() => complete(place)).observe(place, { childList: true, subtree: true })
  SwaggerUIBundle({
    domNode: place,
    url: address,
    // Its links inside of buttons could not be reached by keyboard.
    deepLinking: false,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    // It would ask a server elsewhere.
    validatorUrl: null,
    requestInterceptor: (request: SentRequest): SentRequest => {
      const isOwn = new URL(request.url, location.href).origin === location.origin
      if (isOwn && csrf !== '') request.headers['X-Kalends-CSRF'] = csrf
      return request
    },
  })
}

export {}
