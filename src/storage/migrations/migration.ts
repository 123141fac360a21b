/** One forward step of the database; there is no way back. */
export interface Migration {
  /** 1, 2, 3 ... without gaps. */
  readonly id: number
  /** What it adds, in a word or two. */
  readonly name: string
  /** The statements in order; they run in one transaction. */
  up(dialect: 'sqlite' | 'postgres'): string[]
}
