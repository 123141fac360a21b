/** The highest number that an identifier can be: PostgreSQL refuses to compare a column of identifiers with more. */
export const HIGHEST_ID = 2 ** 31 - 1
