import type { MailService } from '../accounts/mail/index.ts'
import type { AdminDeps } from '../admin/deps.ts'
import { adminPages, openApi } from '../admin/index.ts'
import type { FormPage } from '../http/html-page.ts'
import { type Namespace, namesOf } from '../http/namespace.ts'
import type { ClientLimits } from '../http/request/client-limits.ts'
import { type BackupDeps, openBackups } from './backups.ts'
import { type FileImportDeps, openFileImports } from './file-imports.ts'

/** What the pages of the administration are made of before the parts that are opened for them alone. */
export interface FormsGround
  extends Omit<AdminDeps, 'backups' | 'fileImports' | 'failedLogIns' | 'api' | 'namespaces' | 'config' | 'mailer'>,
    BackupDeps,
    Pick<FileImportDeps, 'importCalendars'> {
  readonly limits: Pick<ClientLimits, 'failedLogIns'>
  readonly mail: Pick<MailService, 'mailer'>
  readonly namespaces: readonly Namespace[]
}

/** The pages of the administration and the form of visitors. */
export function formsOf({ namespaces, importCalendars, limits, mail, ...ground }: FormsGround): FormPage[] {
  return adminPages({
    ...ground,
    mailer: mail.mailer,
    namespaces: namesOf(namespaces),
    fileImports: openFileImports({ ...ground, importCalendars }),
    backups: openBackups(ground),
    failedLogIns: () => limits.failedLogIns,
    api: openApi(namespaces),
  })
}
