import { LANGUAGES } from '../../base/i18n/languages.ts'
import { feedAddress } from '../../exchange/index.ts'
import { NAMESPACE } from '../../http/address.ts'
import { hasScope, mayCreateTerms, mayPublish } from '../../http/auth/rights.ts'
import { mayUse } from '../call-tool.ts'
import { plainLine } from '../plain.ts'
import type { Resource } from '../tool.ts'
import { TOOLS } from '../tools/index.ts'
import { siteMoment } from '../tools/search-events.ts'

/** What the calendar is, and what the caller may do with it. */
export const SITE: Resource = {
  uri: 'kalends://site',
  name: 'site',
  title: 'The calendar',
  description: 'Name, address, time zone and languages of this calendar, and what you may do with it',
  mimeType: 'application/json',
  read: async (context) => {
    const { site, urls, caller } = context
    const isWriter = TOOLS.some((tool) => tool.scope !== 'read' && mayUse(caller, tool))
    return JSON.stringify({
      name: plainLine(site.name),
      address: urls.page('/'),
      timezone: site.zone,
      languages: LANGUAGES,
      now: siteMoment(context),
      calendar_file: feedAddress(urls),
      api_document: urls.root(`/${NAMESPACE}/doc`),
      may: {
        tools: TOOLS.filter((tool) => mayUse(caller, tool)).map(({ name }) => name),
        publish: isWriter && mayPublish(caller.role),
        name_new_terms: isWriter && mayCreateTerms(caller.role) && hasScope(caller, 'terms:write'),
      },
    })
  },
}
