// Turning to the next month, week or day: the page is put in place, so that focus and scroll stay where they are.
const STEPS = '.steps a.step'

async function turnTo(address: string, which: string): Promise<void> {
  const response = await fetch(address, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(String(response.status))
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const main = page.querySelector('main')
  const context = document.querySelector('main')
  if (main === null || context === null) throw new Error('no page')
  // The policy of a page follows from what it showed at first: one with images of other hosts is loaded whole.
  if ([...main.querySelectorAll('img')].some(({ src }) => new URL(src).origin !== location.origin))
    throw new Error('pictures of other hosts')
  const { scrollX, scrollY } = window
  context.replaceChildren(...main.childNodes)
  document.title = page.title
  window.scrollTo(scrollX, scrollY)
  document.querySelector<HTMLElement>(`${STEPS}.${which}`)?.focus({ preventScroll: true })
}

function whichOf(link: HTMLAnchorElement): string {
  return ['prev', 'next', 'now'].find((name) => link.classList.contains(name)) ?? 'now'
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(STEPS) : null
  if (link === null) return
  event.preventDefault()
  const { href } = link
  turnTo(href, whichOf(link)).then(
    () => {
      history.pushState(null, '', href)
      shown = pageOf(location)
    },
    () => location.assign(href),
  )
})

/** What of an address names a page: not the place on it, to which links of the page itself lead. */
function pageOf({ pathname, search }: Location): string {
  return pathname + search
}

let shown = pageOf(location)

window.addEventListener('popstate', () => {
  if (pageOf(location) !== shown) location.reload()
})

export {}
