import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'

/** `kalends redirect ...`: where addresses of a former site lead. */
export function declareRedirect(shell: CommandGroup): void {
  const redirect = group(shell, 'redirect', 'add, list and remove redirects for addresses that name nothing any more')
  const add = {
    usage: 'add <old> <new>',
    summary: 'send requests for the path OLD to NEW, a path or an address; both may end with /*',
  }
  declare(redirect, add, async (called) => {
    const input = { from: called.argument(0), to: called.argument(1) }
    called.show(await called.operate('addRedirect', input), (rule) => `${rule.source} leads to ${rule.target} now.\n`)
  })
  declare(redirect, { usage: 'list', summary: 'list all redirects' }, async (called) => {
    const redirects = await called.operate('listRedirects', {})
    called.show({ redirects }, (result) =>
      table(
        ['old', 'new'],
        result.redirects.map(({ source, target }) => [source, target]),
      ),
    )
  })
  declare(redirect, { usage: 'remove <old>', summary: 'remove a redirect' }, async (called) => {
    const removed = await called.operate('removeRedirect', { from: called.argument(0) })
    called.show(removed, ({ source }) => `${source} leads nowhere now.\n`)
  })
}
