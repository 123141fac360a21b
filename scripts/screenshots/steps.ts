import type { Page } from 'playwright-core'

/** What steps in the administration need: its address, and what takes an image of the page under a name. */
interface Steps {
  readonly admin: string
  shot(title: string): Promise<void>
}

/** Forms that two people change: the field, what the other puts there and what this one does, and the button that saves. */
interface Contested {
  readonly path: string
  readonly field: string
  readonly theirs: string
  readonly mine: string
  readonly button: string
}

/** The pages that show two versions of what is no item; `turn` is another number in each look. */
export async function shootConflicts(
  page: Page,
  steps: Steps & { readonly subscription: number; readonly webhook: number; readonly turn: number },
): Promise<void> {
  const { admin, shot, subscription, webhook, turn } = steps
  const save = '[name=action][value=save]'
  const forms: Readonly<Record<string, Contested>> = {
    settingsconflict: {
      // Public pages look as before with it: they are taken again in other looks.
      ...{ path: '/settings', field: '[name=securityContact]', button: 'main .publish button' },
      ...{ theirs: `mailto:watch-${turn}@harbour.example`, mine: 'mailto:safety@club.example' },
    },
    subscriptionconflict: {
      ...{ path: `/subscriptions/${subscription}`, field: '[name=name]', button: save },
      ...{ theirs: `Sailing Club of ${2020 + turn}`, mine: 'Rowing Club' },
    },
    webhookconflict: {
      ...{ path: `/webhooks/${webhook}`, field: '[name=purpose]', button: save },
      ...{ theirs: `Search of district ${turn}`, mine: 'Newsletter' },
    },
    userconflict: {
      ...{ path: '/users/author', field: '[name=role]', button: 'form:has([name=role]) button' },
      ...{ theirs: turn % 2 === 1 ? 'editor' : 'contributor', mine: 'subscriber' },
    },
  }
  const other = await page.context().newPage()
  for (const [title, { path, field, theirs, mine, button }] of Object.entries(forms)) {
    await page.goto(admin + path)
    await other.goto(admin + path)
    for (const [where, value] of [
      [other, theirs],
      [page, mine],
    ] as const) {
      const control = where.locator(`main ${field}`)
      await (field === '[name=role]' ? control.selectOption(value) : control.fill(value))
      await where.locator(button).click()
      await where
        .locator(where === page ? '.versions' : '[role=status]')
        .first()
        .waitFor()
    }
    await shot(title)
  }
  await other.close()
}

const TABLE = [
  'Event Name,Event Start Date,Event Start Time,Event Venue Name',
  'Winter Regatta,2027-01-05,10:00,Pier',
  'Broken,some day,,',
  'Night Race,2027-01-06,11:00,Pier',
].join('\r\n')

/** What is seen before a file with events is imported. */
export async function shootImport(page: Page, { admin, shot }: Steps): Promise<void> {
  const file = { name: 'winter.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE) }
  await page.goto(`${admin}/import`)
  await page.locator('main input[type=file]').setInputFiles(file)
  await page.locator('main form:has(input[type=file]) button').click()
  await page.locator('main table').first().waitFor()
  await shot('importpreview')
}

/** The reports of long work: of a backup, with the list of backups, and of a change of everything that a list shows. */
export async function shootWork(page: Page, { admin, shot }: Steps): Promise<void> {
  await page.goto(`${admin}/system`)
  await page.locator('button[value=backup]').click()
  const report = page.locator('table a.title[href^="/admin/work/"]').first()
  await report.waitFor()
  await page.locator('button[value=backup]').waitFor()
  await shot('backups')
  await report.click()
  await page.locator('main dl code').waitFor()
  await shot('backupreport')
  // What is published already stays as it is.
  await page.goto(`${admin}/events?status=publish&when=all`)
  await page.locator('[name=all]').check()
  await page.locator('[name=action]:is(select)').selectOption('publish')
  await page.locator('main form:has([name=all]) button').last().click()
  await page.waitForURL(/\/admin\/work\/\d+$/)
  await page.locator('main section dl').waitFor()
  await shot('bulkreport')
}
