// What every page does once scripts run: menus close when something else is chosen.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
  }
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
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

export {}
