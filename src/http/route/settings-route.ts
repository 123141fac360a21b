import { isAtLeast } from '../auth/rights.ts'
import { INDEX } from '../openapi/service-schemas.ts'
import { type AnyRoute, route } from '../route.ts'
import { aboutSite, clockOf, type RootDeps } from './root-route.ts'

/** What the settings say about the site. */
interface SettingsDeps extends Pick<RootDeps, 'site'> {
  /** Language of its texts, which may change. */
  language(): string
}

/** The settings of the site, as administrators read them with programs for calendars of this kind; they change nothing. */
export function settingsRoute({ site, language }: SettingsDeps): AnyRoute {
  return route({
    method: 'GET',
    path: '/settings',
    operation: 'getSettings',
    pathFields: [],
    fields: [],
    hasBody: false,
    fillsDefaults: false,
    // No document describes it.
    response: { status: 200, schema: INDEX },
    errors: [],
    scope: 'read',
    open: (role) => isAtLeast(role, 'administrator'),
    permit: ({ caller }) => isAtLeast(caller.role, 'administrator') || 'rest_forbidden',
    handle: async ({ urls, now }) => {
      const { name: title, description, url } = aboutSite(site, urls)
      const { gmt_offset, timezone_string } = clockOf(site, now)
      const clock = { timezone: timezone_string, gmt_offset, timezone_string, start_of_week: 1 }
      return { status: 200, body: { title, description, url, ...clock, language: language(), posts_per_page: 10 } }
    },
  })
}
