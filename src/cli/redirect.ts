import { type CommandGroup, declare, group } from './command.ts'
import { table } from './output.ts'

/** `kalends redirect ...`: where addresses of a former site lead. */
export function declareRedirect(shell: CommandGroup): void {
  const redirect = group(shell, 'redirect', 'add, list and remove redirects of old URLs')
  const add = {
    usage: 'add <old> <new>',
    summary: 'redirect the path OLD to NEW, a path or URL; both may end with /*',
  }
  declare(redirect, add, async (called) => {
    const input = { from: called.argument(0), to: called.argument(1) }
    called.show(await called.operate('addRedirect', input), (rule) => `Redirected ${rule.source} to ${rule.target}.\n`)
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
    called.show(removed, ({ source }) => `Removed the redirect from ${source}.\n`)
  })
}
