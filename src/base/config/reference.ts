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
    'Every command reads the same options. A flag takes precedence over the environment variable; an empty variable counts',
    'as not set. Separate the items of a list with commas. If an option is invalid, nothing starts, and all problems are listed.',
    '',
    'Options without a flag or variable can also be changed on the page Settings of the administration, if it shows them. They',
    'take effect in every process within a second.',
    '',
    '| Flag | Environment | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
