import { OPTION_LIST } from '../config.ts'
import type { Option } from './option.ts'

/** How the default of an option reads, in Markdown: ``the folder `x` ``, `` `3000` ``, `none`. */
function defaultText(declared: Option): string {
  if (declared.defaultText !== undefined) return declared.defaultText
  const value = String(declared.default)
  return value === '' ? 'none' : `\`${value}\``
}

/** The page `docs/reference/config.md`, generated so that it cannot disagree with `OPTIONS`. */
export function configReference(): string {
  const rows = OPTION_LIST.map(([, declared]) => {
    const flag = declared.flag === undefined ? '' : `\`${declared.flag} ${declared.kind.hint}\``.replaceAll('|', '\\|')
    return `| ${flag} | \`${declared.env}\` | ${defaultText(declared)} | ${declared.description} |`
  })
  return [
    '# Configuration',
    '',
    'Written by `node scripts/docs.ts` from `src/base/config.ts`; do not edit.',
    '',
    'Every command reads the same options. A flag wins over the environment variable; an empty variable counts as not',
    'set. Lists are written with commas. With a mistake in them nothing starts, and all mistakes are named at once.',
    '',
    'Name, looks, visitors, programs, limits for clients and the level of the log can also be set on the page Settings of',
    'the administration, as long as no flag or variable says them: then they hold in every process within a second.',
    '',
    '| Flag | Environment | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
