import type { Resource } from '../tool.ts'

/** What the calendar is called, and its clock. */
export const SITE: Resource = {
  uri: 'kalends://site',
  name: 'site',
  title: 'The calendar',
  description: 'Name, address and time zone of this calendar',
  mimeType: 'application/json',
  read: async ({ site, urls, now }) => {
    return JSON.stringify({
      name: site.name,
      address: urls.page('/'),
      timezone: site.zone,
      now: new Date(now).toISOString(),
    })
  },
}
