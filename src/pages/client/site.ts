// What every page does once scripts run: menus close when something else is chosen, and the one to subscribe has a button.
const MENUS = 'details.menu[open], .subscribe:has(> button[aria-expanded=true])'

function close(menu: Element): HTMLElement | null {
  if (menu instanceof HTMLDetailsElement) {
    menu.open = false
    return menu.querySelector('summary')
  }
  const button = menu.querySelector('button')
  button?.click()
  return button
}
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll(MENUS))
    if (!(target instanceof Node && menu.contains(target))) close(menu)
})
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') for (const menu of document.querySelectorAll(MENUS)) close(menu)?.focus()
})

// In a frame of another site, which cannot see how tall the page is, the page says so whenever that changes.
if (window.parent !== window)
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    window.parent.postMessage({ kalendsHeight: height }, '*')
  }).observe(document.body)

// What helps to search is loaded by whoever begins to.
const search = document.querySelector<HTMLFormElement>('form.search[data-script]')
search?.addEventListener('focusin', () => void import(search.dataset['script'] ?? ''), { once: true })

for (const menu of document.querySelectorAll('.subscribe > details')) {
  const pop = menu.querySelector<HTMLElement>('.pop')
  if (pop === null) continue
  const button = document.createElement('button')
  button.type = 'button'
  button.append(...(menu.querySelector('summary')?.childNodes ?? []))
  const show = (isShown: boolean): void => {
    pop.hidden = !isShown
    button.setAttribute('aria-expanded', String(isShown))
  }
  show(false)
  button.addEventListener('click', () => show(pop.hidden))
  const address = pop.querySelector('input')
  address?.addEventListener('focus', () => address.select())
  menu.replaceWith(button, pop)
}

export {}
