import type { visitor } from './admin.ts'

type Person = Awaited<ReturnType<typeof visitor>>

/** What the button "Restore" of a message names: items such as `event-12`, and dots between them; '' if there is none. */
export function restorableIn(text: string): string {
  const form = /<form method="post" action="\/admin\/trash">(?:(?!<\/form>)[\s\S])*<\/form>/.exec(text)?.[0] ?? ''
  return [...form.matchAll(/name="items\[\]" value="([^"]*)"/g)].map(([, item]) => item).join('.')
}

/** Presses "Restore" of a message, which leads back to the list; the page that follows. */
export async function restoreFrom(person: Person, text: string, back = ''): Promise<Sent> {
  const answer = await person.submit('/admin/trash', { action: 'restore', 'items[]': restorableIn(text), back })
  return { ...answer, text: answer.to === '' ? answer.text : (await person.show(answer.to)).text }
}

/** The response to a form, with the text of the page that it leads to. */
interface Sent {
  readonly status: number
  readonly to: string
  readonly text: string
}
