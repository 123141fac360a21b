import { id, named, open, text } from '../http/openapi/parts.ts'

/** The calling user in the shape of generic clients; the namespace of writers has no document. */
export const USER = named('User', open('The calling user', { id: id('Identifier', 2), name: text('Name', 'Ada') }))
