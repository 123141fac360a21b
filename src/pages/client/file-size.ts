// A file that is larger than the form may have is named before anything is sent, so that nothing that was typed is lost.

/** Looks at all files of a form; they may have been dropped or pasted into it. */
function checkFiles(form: HTMLFormElement): HTMLInputElement | undefined {
  let first: HTMLInputElement | undefined
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=file][data-most]')) {
    const isTooLarge = [...(input.files ?? [])].some(({ size }) => size > Number(input.dataset['most']))
    input.setCustomValidity(isTooLarge ? (input.dataset['tooLarge'] ?? '') : '')
    if (isTooLarge) first ??= input
  }
  return first
}

document.addEventListener('input', ({ target }) => {
  const isFile = target instanceof HTMLInputElement && target.type === 'file'
  const form = target instanceof HTMLFormElement ? target : isFile ? target.form : null
  if (form !== null) checkFiles(form)?.reportValidity()
})

export {}
