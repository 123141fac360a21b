/**
 * Stores drafts of nearly as much text as a body may have and deletes them, until it is killed: four of one long word, four
 * in which every word is another one. `texts.ts ORIGIN BASE AUTHORIZATION`; prints a dot for each draft.
 */
const [origin = '', base = '', authorization = ''] = process.argv.slice(2)

/** Characters of a text. */
const LENGTH = 880_000

/** Drafts of a kind before all are deleted. */
const DRAFTS = 4

const headers = { authorization, 'content-type': 'application/json' }

for (let turn = 0; ; turn += 1) {
  const ids: number[] = []
  for (const separator of ['', ' '])
    for (let draft = 0; draft < DRAFTS; draft += 1) ids.push(await store(longText(separator, turn * DRAFTS + draft)))
  for (const id of ids)
    await fetch(`${origin}${base}/events/${id}?force=true`, { method: 'DELETE', headers }).then((answer) =>
      answer.text(),
    )
}

/** ID of the new draft. */
async function store(description: string): Promise<number> {
  const times = { start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' }
  const body = JSON.stringify({ title: 'Draft', status: 'draft', description, ...times })
  const answer = await fetch(`${origin}${base}/events`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  process.stdout.write('.')
  return ((await answer.json()) as { readonly id: number }).id
}

/** Words that are all different, also from those of other texts. */
function longText(separator: string, seed: number): string {
  let text = ''
  for (let number = seed * 1_000_000; text.length < LENGTH; number += 1)
    text += ((number * 2_654_435_761) % 4_294_967_296).toString(36) + separator
  return text
}
