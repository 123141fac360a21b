// Passkeys: a challenge of the server, the answer of the browser, and the form that is sent with it.

/** Half-way before a challenge is too old, milliseconds. */
const RENEWED_AFTER = 240_000

let waiting = new AbortController()

function isCreation(form: HTMLFormElement): boolean {
  return new FormData(form).get('kind') === 'create'
}

async function credentialFor(
  form: HTMLFormElement,
  options: Pick<CredentialRequestOptions, 'mediation'> & { readonly signal: AbortSignal },
): Promise<Credential | null> {
  const answer = await fetch(form.dataset['src'] ?? '', { method: 'POST', body: new FormData(form) })
  // The proof of who they are, or the link, is too old by now: the page leads on, or says so.
  if (answer.status === 403 && isCreation(form)) {
    location.reload()
    return null
  }
  if (!answer.ok) throw new Error(String(answer.status))
  const json = await answer.json()
  if (!isCreation(form))
    return navigator.credentials.get({ ...options, publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) })
  return navigator.credentials.create({
    signal: options.signal,
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json),
  })
}

/** Asks for a passkey; without `mediation` a person has asked for it. One question replaces another. */
async function ask(form: HTMLFormElement, mediation?: 'conditional'): Promise<void> {
  waiting.abort()
  waiting = new AbortController()
  const { signal } = waiting
  try {
    const credential = await credentialFor(form, { signal, ...(mediation && { mediation }) })
    const field = form.querySelector<HTMLInputElement>('input[name="credential"]')
    if (credential === null || field === null || signal.aborted) return
    field.value = JSON.stringify(credential)
    form.submit()
  } catch {
    if (!signal.aborted && mediation === undefined) tellFailure(form)
  }
}

function tellFailure(form: HTMLFormElement): void {
  const told = form.querySelector('[role="alert"]') ?? document.createElement('p')
  told.className = 'wrong'
  told.setAttribute('role', 'alert')
  told.textContent = form.dataset['failed'] ?? ''
  form.append(told)
}

/** Browsers offer passkeys in the field of the name, for as long as the page is open. */
async function offer(form: HTMLFormElement): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  void ask(form, 'conditional')
  setInterval(() => {
    if (!document.hidden) void ask(form, 'conditional')
  }, RENEWED_AFTER)
}

const hasPasskeys = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  if (!hasPasskeys) continue
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask(form)
  })
  if (document.querySelector('input[autocomplete~="webauthn"]') !== null) void offer(form)
}

export {}
