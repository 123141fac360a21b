import type { Page } from 'playwright-core'

/** What steps in the administration need: its address, and what takes an image of the page under a name. */
interface Steps {
  readonly admin: string
  shot(title: string): Promise<void>
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
