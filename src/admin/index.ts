import type { FormPage } from '../http/html-page.ts'
import { CONFIRM_PAGE } from './confirm-identity.ts'
import type { AdminDeps } from './deps.ts'
import { eventFormPages } from './event-form.ts'
import { EVENTS_PAGE, QUEUE_PAGE } from './events-list.ts'
import { FORGOT_PAGE } from './forgot.ts'
import { formPage } from './form-page.ts'
import { HISTORY_PAGES } from './history/page.ts'
import { IMPORT_PAGE } from './imports/page.ts'
import { itemPages } from './items.ts'
import { LINK_PAGES } from './link-pages.ts'
import { UNSUBSCRIBE_PAGE } from './mail-choices.ts'
import { mediaPage } from './media.ts'
import { OVERVIEW_PAGE } from './overview.ts'
import { PASSKEY_OPTIONS_PAGE } from './passkey-options.ts'
import { OFFERS_PAGE } from './picker/offers.ts'
import { PROFILE_PAGE } from './profile.ts'
import { REPEAT_PREVIEW_PAGE } from './repeat/preview.ts'
import { settingsPage } from './settings-page.ts'
import { SIGN_IN_PAGES } from './sign-in-pages.ts'
import { IDENTITIES_PAGE } from './single-sign-on/identities.ts'
import { PROVIDER_PAGES } from './single-sign-on/pages.ts'
import { ASK_PAGE } from './submissions/ask.ts'
import { DECLINE_PAGE } from './submissions/decline.ts'
import { Offers } from './submissions/offers.ts'
import { submitPage } from './submissions/page.ts'
import { submitterPage } from './submissions/submitter-page.ts'
import { SUBSCRIPTIONS_PAGES } from './subscriptions/index.ts'
import { SYSTEM_PAGE } from './system.ts'
import { TRASH_PAGE } from './trash/page.ts'
import { USER_PAGES } from './users.ts'
import { WAYS_IN_PAGE } from './ways-in.ts'
import { WEBHOOKS_PAGES } from './webhooks/index.ts'
import { WORK_PAGE } from './work/page.ts'

export { openApi } from './api.ts'
export { openSiteNotices } from './site-notices.ts'
export { openSubmissionExpiry } from './submissions/expiry.ts'
export { openReviewDigests } from './submissions/review-mails.ts'
export { siteOutcomeOf } from './work/site-imports.ts'

/** The pages of the administration. */
export function adminPages(deps: AdminDeps): FormPage[] {
  // Room for the fields beside an image.
  const bodyLimit = deps.config.mediaLimit + 1024 ** 2
  const offers = new Offers()
  const pages = [
    ...SIGN_IN_PAGES,
    ...LINK_PAGES,
    FORGOT_PAGE,
    UNSUBSCRIBE_PAGE,
    CONFIRM_PAGE,
    PASSKEY_OPTIONS_PAGE,
    WAYS_IN_PAGE,
    ...PROVIDER_PAGES,
    OVERVIEW_PAGE,
    EVENTS_PAGE,
    QUEUE_PAGE,
    DECLINE_PAGE,
    ASK_PAGE,
    ...eventFormPages(bodyLimit),
    ...itemPages(bodyLimit),
    mediaPage(bodyLimit),
    TRASH_PAGE,
    ...SUBSCRIPTIONS_PAGES,
    ...WEBHOOKS_PAGES,
    ...USER_PAGES,
    IMPORT_PAGE,
    REPEAT_PREVIEW_PAGE,
    OFFERS_PAGE,
    ...HISTORY_PAGES,
    settingsPage(bodyLimit),
    SYSTEM_PAGE,
    WORK_PAGE,
    PROFILE_PAGE,
    IDENTITIES_PAGE,
    submitPage(deps.config, offers),
    submitterPage(deps.config, offers),
  ]
  return pages.map((page) => formPage(deps, page))
}
