// The month: the chosen day is marked, its panel takes the focus, and Escape, its close link and a click beside it close it.
const OPEN = '.agenda section:target'
const DAYS = /^#d-\d{4}-\d\d-\d\d$/

/** Marks the day of the address, or the one that is there at first. */
function mark(): void {
  const chosen = document.querySelector(OPEN) ?? document.querySelector('.agenda .chosen')
  for (const link of document.querySelectorAll('.month .nums a'))
    link.classList.toggle('on', link.getAttribute('href') === `#${chosen?.id}`)
}

/** Whether a day is a panel over the month; on phones it stands below. */
function isPanel(section: Element): boolean {
  return getComputedStyle(section).position === 'fixed'
}

function close(section: Element): void {
  const link = section.querySelector<HTMLAnchorElement>('.close')
  if (link === null) return
  const { scrollX, scrollY } = window
  location.replace(link.hash)
  window.scrollTo(scrollX, scrollY)
  document.querySelector<HTMLElement>(link.hash)?.focus({ preventScroll: true })
}

document.addEventListener('click', (event) => {
  const open = document.querySelector(OPEN)
  if (open === null || !isPanel(open) || !(event.target instanceof Element)) return
  const isInside = open.contains(event.target) && event.target.closest('.close') === null
  if (isInside || event.target.closest('.month a') !== null) return
  event.preventDefault()
  close(open)
})

document.addEventListener('keydown', ({ key }) => {
  const open = key === 'Escape' ? document.querySelector(OPEN) : null
  if (open !== null && isPanel(open)) close(open)
})

window.addEventListener('hashchange', () => {
  mark()
  if (!DAYS.test(location.hash)) return
  const open = document.querySelector<HTMLElement>(OPEN)
  if (open === null || !isPanel(open)) return
  open.tabIndex = -1
  open.focus({ preventScroll: true })
})

// Another month may be put in the place of this one.
const main = document.querySelector('main')
if (main !== null) new MutationObserver(mark).observe(main, { childList: true })
mark()

export {}
