import { LANGUAGES } from '../i18n/languages.ts'
import { choice, integer, isContact, isHost, isNamespace, isSiteZone, list, text, toggle } from './kinds.ts'
import { NAMESPACE } from './namespaces.ts'
import { option } from './option.ts'
import { isDarkAccent, isImageAddress, isLightAccent, isTileAddress } from './theme.ts'

const nothing: readonly string[] = Object.freeze([])

/** Options of what the site is called, how it looks and what its interface expects. */
export const SITE_OPTIONS = {
  siteName: option({
    flag: '--site-name',
    env: 'KALENDS_SITE_NAME',
    kind: text('TEXT', 'text of at most 200 characters', (name) => name.length <= 200),
    default: 'Kalends',
    description: 'Name of the site on pages and in feeds.',
  }),
  frontPage: option<'list' | 'month'>({
    flag: '--front-page',
    env: 'KALENDS_FRONT_PAGE',
    kind: choice('list', 'month'),
    default: 'list',
    description: 'Start page: upcoming events as a list, or the month.',
  }),
  weekStart: option<'region' | 'monday' | 'saturday' | 'sunday'>({
    flag: '--week-start',
    env: 'KALENDS_WEEK_START',
    kind: choice('region', 'monday', 'saturday', 'sunday'),
    default: 'region',
    description: 'First day of the week on pages: that of each visitor’s region, or the same for everybody.',
  }),
  siteLogo: option({
    flag: '--site-logo',
    env: 'KALENDS_SITE_LOGO',
    kind: text('URL', 'an http(s) address or a path of this site', isImageAddress),
    default: '',
    defaultText: 'none',
    description: 'Image beside the site name on public pages.',
  }),
  accent: option({
    flag: '--accent',
    env: 'KALENDS_ACCENT',
    kind: text('COLOR', 'a color such as #0a6b4a, with a contrast of 4.5 on light pages', isLightAccent),
    default: '',
    defaultText: '`#0a6b4a`',
    description: 'Color of links and buttons on light public pages.',
  }),
  accentDark: option({
    flag: '--accent-dark',
    env: 'KALENDS_ACCENT_DARK',
    kind: text('COLOR', 'a color such as #6fdcab, with a contrast of 4.5 on dark pages', isDarkAccent),
    default: '',
    defaultText: '`#6fdcab`',
    description: 'Color of links and buttons on dark public pages.',
  }),
  language: option<(typeof LANGUAGES)[number]>({
    flag: '--language',
    env: 'KALENDS_LANGUAGE',
    kind: choice(...LANGUAGES),
    default: 'en',
    description: 'Default language of descriptions and messages.',
  }),
  siteZone: option({
    flag: '--site-zone',
    env: 'KALENDS_SITE_ZONE',
    kind: text('ZONE', 'a time zone such as Europe/Berlin', isSiteZone),
    default: 'UTC',
    description: 'Time zone of the site, for dates without an offset and for new events.',
  }),
  siteHost: option({
    flag: '--site-host',
    env: 'KALENDS_SITE_HOST',
    kind: text('HOST', 'a host name', isHost),
    default: '',
    defaultText: 'fixed on first start',
    description: 'Host in the global IDs of events; never change it.',
  }),
  securityContact: option({
    flag: '--security-contact',
    env: 'KALENDS_SECURITY_CONTACT',
    kind: text('URI', 'a mailto:, https: or tel: address', isContact),
    default: '',
    defaultText: 'none',
    description: 'Contact for security reports in /.well-known/security.txt; without it that file does not exist.',
  }),
  currencySymbol: option({
    flag: '--currency-symbol',
    env: 'KALENDS_CURRENCY_SYMBOL',
    kind: text('TEXT', 'at most 10 characters', (symbol) => symbol.length <= 10),
    default: '$',
    description: 'Currency symbol of costs without one.',
  }),
  currencyPosition: option<'prefix' | 'postfix'>({
    flag: '--currency-position',
    env: 'KALENDS_CURRENCY_POSITION',
    kind: choice('prefix', 'postfix'),
    default: 'prefix',
    description: 'Position of the currency symbol.',
  }),
  iframeHosts: option({
    flag: '--iframe-hosts',
    env: 'KALENDS_IFRAME_HOSTS',
    kind: list('HOST', 'host names', isHost),
    default: nothing,
    description: 'Hosts whose frames are allowed in descriptions.',
  }),
  namespaces: option({
    flag: '--namespaces',
    env: 'KALENDS_NAMESPACES',
    kind: list('NAME/VERSION', 'namespaces such as tribe/events/v1', isNamespace),
    default: Object.freeze(['tribe/events/v1']) as readonly string[],
    description: `More names for the namespace \`${NAMESPACE}\`.`,
  }),
  perPageMax: option({
    flag: '--per-page-max',
    env: 'KALENDS_PER_PAGE_MAX',
    kind: integer(1, 10_000),
    default: 50,
    description: 'Maximum number of items on a page; a larger `per_page` is reduced to it.',
  }),
  recurrenceYears: option({
    flag: '--recurrence-years',
    env: 'KALENDS_RECURRENCE_YEARS',
    kind: integer(1, 100),
    default: 5,
    description: 'Years ahead for which dates of recurring events without an end are stored.',
  }),
  mapTiles: option({
    flag: '--map-tiles',
    env: 'KALENDS_MAP_TILES',
    kind: text('URL', 'an http(s) address with {z}, {x} and {y} in its path', isTileAddress),
    default: '',
    defaultText: 'no maps',
    description:
      'URL of map tiles, for example https://tile.example/{z}/{x}/{y}.png. Visitors who open a map load tiles from there.',
  }),
  mapAttribution: option({
    flag: '--map-attribution',
    env: 'KALENDS_MAP_ATTRIBUTION',
    kind: text('TEXT', 'text of at most 200 characters', (given) => given.length <= 200),
    default: '© OpenStreetMap contributors',
    description: 'Map attribution, shown on each map.',
  }),
  submissions: option({
    flag: '--submissions',
    env: 'KALENDS_SUBMISSIONS',
    kind: toggle,
    default: false,
    defaultText: 'no',
    description: 'Whether visitors may submit events for review with the form at /submit/.',
  }),
  requireIfMatch: option({
    flag: '--require-if-match',
    env: 'KALENDS_REQUIRE_IF_MATCH',
    kind: toggle,
    default: false,
    defaultText: 'no',
    description: 'Whether updates and deletions of items without `If-Match` are refused.',
  }),
} as const
