import { rate } from './kinds.ts'
import { option } from './option.ts'

/**
 * Options of how much a client may do. The defaults leave room for a whole office behind one address, and for programs that
 * send requests as fast as they are answered; they keep one client from using all of a machine for long.
 */
export const LIMIT_OPTIONS = {
  limitReads: option({
    flag: '--limit-reads',
    env: 'KALENDS_LIMIT_READS',
    kind: rate,
    default: Object.freeze({ count: 120_000, seconds: 60 }),
    defaultText: '`120000/60`',
    description:
      'Maximum number of reads by one client address, and by one user, in this many seconds; cached responses do not count. `none` means no limit.',
  }),
  limitCostlyReads: option({
    flag: '--limit-costly-reads',
    env: 'KALENDS_LIMIT_COSTLY_READS',
    kind: rate,
    default: Object.freeze({ count: 12_000, seconds: 60 }),
    defaultText: '`12000/60`',
    description:
      'Maximum number of reads that search texts, filter by distance, calculate dates, or try the password of an event.',
  }),
  limitWrites: option({
    flag: '--limit-writes',
    env: 'KALENDS_LIMIT_WRITES',
    kind: rate,
    default: Object.freeze({ count: 30_000, seconds: 60 }),
    defaultText: '`30000/60`',
    description:
      'Maximum number of writes by one client address, and by one user. Each date of a series that is created, changed or deleted counts as one.',
  }),
  limitLogIns: option({
    flag: '--limit-log-ins',
    env: 'KALENDS_LIMIT_LOG_INS',
    kind: rate,
    default: Object.freeze({ count: 200, seconds: 900 }),
    defaultText: '`200/900`',
    description:
      'Maximum number of failed sign-ins by one client address. After half of them, further attempts are delayed.',
  }),
  limitGuesses: option({
    flag: '--limit-guesses',
    env: 'KALENDS_LIMIT_GUESSES',
    kind: rate,
    default: Object.freeze({ count: 60, seconds: 600 }),
    defaultText: '`60/600`',
    description: 'Maximum number of different wrong passwords that one client address may try on an event.',
  }),
  limitSubmissions: option({
    flag: '--limit-submissions',
    env: 'KALENDS_LIMIT_SUBMISSIONS',
    kind: rate,
    default: Object.freeze({ count: 10, seconds: 3600 }),
    defaultText: '`10/3600`',
    description:
      'Maximum number of events, and of further images for them, that one client address may submit for review, in at most six times as many attempts.',
  }),
  limitMcp: option({
    flag: '--limit-mcp',
    env: 'KALENDS_LIMIT_MCP',
    kind: rate,
    default: Object.freeze({ count: 600, seconds: 60 }),
    defaultText: '`600/60`',
    description:
      'Maximum number of tool calls and resource reads through /mcp by one user, or without credentials by one client address.',
  }),
  limitMcpWrites: option({
    flag: '--limit-mcp-writes',
    env: 'KALENDS_LIMIT_MCP_WRITES',
    kind: rate,
    default: Object.freeze({ count: 120, seconds: 3600 }),
    defaultText: '`120/3600`',
    description: 'Maximum number of calls of tools that change something, by one user.',
  }),
} as const
