import { LANGUAGES } from '../base/i18n/languages.ts'
import { translate } from '../base/i18n/translate.ts'
import { parseDate } from '../base/time/parse.ts'
import { feedAddress } from '../exchange/index.ts'
import { NAMESPACE } from '../http/address.ts'
import { hasScope, mayCreateTerms, mayPublish } from '../http/auth/rights.ts'
import { EVENT_FIELDS } from '../model/event.ts'
import { mayUse } from './call-tool.ts'
import { plainLine } from './plain.ts'
import { FIELDS, TIMES } from './schemas.ts'
import { EVENTS, type Resource, type ToolContext } from './tool.ts'
import { eventResult } from './tools/get-event.ts'
import { TOOLS } from './tools/index.ts'
import { searchEvents, siteMoment } from './tools/search-events.ts'
import { ARGUMENTS } from './tools/writes.ts'

const JSON_TEXT = 'application/json'

/** What the calendar is, and what the caller may do with it. */
function siteOf(context: ToolContext) {
  const { site, urls, caller } = context
  const tools = TOOLS.filter((tool) => mayUse(caller, tool))
  const isWriter = tools.some((tool) => tool.scope !== 'read')
  return {
    name: plainLine(site.name),
    address: urls.page('/'),
    timezone: site.zone,
    languages: LANGUAGES,
    now: siteMoment(context),
    calendar_file: feedAddress(urls),
    api_document: urls.root(`/${NAMESPACE}/doc`),
    may: {
      tools: tools.map(({ name }) => name),
      publish: isWriter && mayPublish(caller.role),
      name_new_terms: isWriter && mayCreateTerms(caller.role) && hasScope(caller, 'terms:write'),
    },
  }
}

/** Arguments, and members of them, by the fields that stand for them. */
const NAMES: Readonly<Record<string, string>> = {
  ...ARGUMENTS,
  ...{ virtual_url: 'online.url', virtual_type: 'online.type' },
}

/** What the arguments of the tools that write events mean, from the fields of events. */
const ROWS = EVENT_FIELDS.flatMap(({ name, description, kind }) => {
  const argument = NAMES[name] ?? name
  const [top = ''] = argument.split('.')
  const isArgument = Object.hasOwn(TIMES, top) || Object.hasOwn(FIELDS, top)
  // Tools do not fetch images.
  const meaning = argument === 'image' ? FIELDS.image.description : translate('en', description)
  return isArgument ? [`| \`${argument}\` | ${kind.control ?? ''} | ${meaning} |`] : []
})

const HELP = ['# Fields of events', '', '| Field | Kind | Meaning |', '|---|---|---|', ...ROWS, ''].join('\n')

/** All resources in the order in which programs list them. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: 'kalends://site',
    name: 'site',
    title: 'The calendar',
    description: 'Name, address, time zone and languages of this calendar, and what you may do with it',
    mimeType: JSON_TEXT,
    read: async (context) => JSON.stringify(siteOf(context)),
  },
  {
    uri: 'kalends://help/fields',
    name: 'fields',
    title: 'Fields of events',
    description: 'What the fields of an event mean, for the tools that create and change events',
    mimeType: 'text/markdown',
    read: async () => HELP,
  },
  {
    uri: 'kalends://event/{id}',
    pattern: /^kalends:\/\/event\/([1-9]\d{0,9})$/,
    name: 'event',
    title: 'An event',
    description: 'One event, or one date of a recurring event, by its ID',
    mimeType: JSON_TEXT,
    read: async (context, id) =>
      JSON.stringify(await eventResult(context, await context.request({ method: 'GET', path: `${EVENTS}/${id}` }))),
  },
  {
    uri: 'kalends://day/{date}',
    pattern: /^kalends:\/\/day\/(\d{4}-\d\d-\d\d)$/,
    name: 'day',
    title: 'A day',
    description: 'The first 50 events of a day (YYYY-MM-DD) on the clock of the calendar',
    mimeType: JSON_TEXT,
    read: async (context, date) => {
      if (!parseDate(date, { now: 0, zone: 'UTC' }).ok) return undefined
      const args = { from: date, to: date, status: 'publish', series: 'dates', limit: 50 } as const
      return JSON.stringify(await searchEvents(context, args))
    },
  },
]
