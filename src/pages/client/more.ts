// "Load more": the events of the next page are put behind those that are there, each under its day.
async function loadMore(link: HTMLAnchorElement): Promise<void> {
  const response = await fetch(link.href, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(String(response.status))
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  // The policy of a page follows from what it showed at first: one with images of other hosts is loaded whole.
  if (
    [...page.querySelectorAll<HTMLImageElement>('main img')].some(({ src }) => new URL(src).origin !== location.origin)
  )
    throw new Error('images of other hosts')
  const list = document.querySelector('.timeline')
  const added = [...(page.querySelector('.timeline')?.children ?? [])]
  const next = page.querySelector('a.more')
  const first = added[0]?.querySelector<HTMLElement>('.title a')
  const [day, more] = [list?.lastElementChild, added[0]]
  if (day instanceof HTMLElement && more !== undefined && dayOf(day) === dayOf(more))
    day.querySelector('.cards')?.append(...(added.shift()?.querySelectorAll('.card') ?? []))
  list?.append(...added)
  if (next === null) link.remove()
  else link.replaceWith(next)
  first?.focus({ preventScroll: true })
}

function dayOf(section: Element): string | undefined {
  return section.querySelector<HTMLTimeElement>('h2 time')?.dateTime
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.more[rel=next]') : null
  if (link === null) return
  event.preventDefault()
  loadMore(link).catch(() => location.assign(link.href))
})

export {}
