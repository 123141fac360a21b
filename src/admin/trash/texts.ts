/** The texts of the trash, see `ADMIN_TEXTS`. */
export const TRASH_TEXTS = [
  'Deleted by',
  'Events, venues and organizers stay here until somebody deletes them for good, everything else for 30 days.',
  'Restore',
  'The series was changed since. Its history has the earlier version.',
  'Trash',
] as const
