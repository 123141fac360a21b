// The box that selects everything ticks the rows, too; where they are all there is, it only does that.
const all = document.querySelector<HTMLInputElement>('#all')
const rows = [...document.querySelectorAll<HTMLInputElement>('input[name="ids[]"]')]

if (all?.hasAttribute('data-one-page')) all.removeAttribute('name')
all?.addEventListener('change', () => {
  for (const row of rows) row.checked = all.checked
})
for (const row of rows)
  row.addEventListener('change', () => {
    if (all !== null) all.checked = rows.every((one) => one.checked) && all.hasAttribute('data-one-page')
  })

export {}
