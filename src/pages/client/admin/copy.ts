// Copies what is shown once, or prints it. Where browsers refuse, the text is selected for the keys that copy.
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = document.getElementById(button.dataset['copy'] ?? '')
  button.hidden = source === null
  button.addEventListener('click', () => {
    if (source === null) return
    getSelection()?.selectAllChildren(source)
    const copied = navigator.clipboard?.writeText(source.textContent ?? '') ?? Promise.reject(new Error('no clipboard'))
    copied.then(
      () => {
        button.textContent = button.dataset['copied'] ?? ''
      },
      () => source.focus(),
    )
  })
}
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}

export {}
