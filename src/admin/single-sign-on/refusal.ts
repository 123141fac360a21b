import type { Provider } from '../../accounts/single-sign-on/index.ts'
import { type ErrorCode, Failure } from '../../base/errors.ts'
import type { MessageId } from '../../base/i18n/translate.ts'
import type { PageResponse } from '../../http/html-page.ts'
import { html, NOTHING } from '../../pages/html.ts'
import { cardPage } from '../layout.ts'
import type { PageRequest } from '../page-request.ts'

/** Why somebody could not be signed in by a provider: status, and the sentence for that person. */
const SENTENCES: { readonly [Code in ErrorCode]?: readonly [status: number, sentence: MessageId] } = {
  provider_unavailable: [502, 'admin.signIn.providerUnavailable'],
  provider_not_usable: [502, 'admin.signIn.providerNotUsable'],
  sign_in_declined: [403, 'admin.signIn.declined'],
  sign_in_expired: [400, 'admin.signIn.expired'],
  identity_unknown: [403, 'admin.signIn.identityUnknown'],
  identity_taken: [403, 'admin.signIn.identityTaken'],
  identity_email_taken: [403, 'admin.signIn.emailTaken'],
  user_disabled: [403, 'admin.signIn.disabled'],
}

/** Failures whose reason is about the provider: whoever sets it up sees what is wrong, in English as in the log. */
const WITH_REASON: readonly ErrorCode[] = ['provider_unavailable', 'provider_not_usable']

/** The page for somebody who was not signed in, or whose account was not connected. @throws the error where there is no sentence for it */
export function refusal(request: PageRequest, provider: Provider, error: unknown): PageResponse {
  const [status, sentence] = (error instanceof Failure && SENTENCES[error.code]) || []
  if (!(error instanceof Failure) || status === undefined || sentence === undefined) throw error
  const { deps, t } = request
  deps.log.warn({ provider: provider.id, code: error.code, reason: error.message }, 'single sign-on refused')
  const reason = WITH_REASON.includes(error.code)
    ? html`<p class="hint" lang="en" dir="ltr">${error.message}</p>\n`
    : NOTHING
  const isSignedIn = request.incoming.caller.id !== 0
  const title = t(isSignedIn ? 'admin.identities.title' : 'admin.signIn.notSignedIn')
  const [onward, label] = isSignedIn
    ? (['/admin/profile', 'admin.profile'] as const)
    : (['/admin/login', 'admin.signIn.signIn'] as const)
  const body = html`${reason}<p><a class="button" href="${onward}">${t(label)}</a></p>`
  const refused = t(sentence, { provider: provider.label, email: String(error.slots['email'] ?? '') })
  return cardPage(request, { status, title, refused, body })
}
