import { address, integer, list, moment, object, ref, type Schema, text, word } from './parts.ts'

const pair = (description: string): Schema => text(description, { pattern: '^\\d\\d$' })

/** Schemas that representations are made of, and those of the service itself. */
export const SHARED_SCHEMAS: Readonly<Record<string, Schema>> = {
  ImageSize: object('A picture in one size', {
    width: integer('Width in pixels'),
    height: integer('Height in pixels'),
    'mime-type': text('Media type of the file'),
    filesize: integer('Size of the file in bytes'),
    url: address('Address of the file'),
  }),
  Image: object(
    'A picture',
    {
      url: address('Address of the file'),
      id: integer('Identifier'),
      extension: text('Ending of the file name'),
      width: integer('Width in pixels'),
      height: integer('Height in pixels'),
      filesize: integer('Size of the file in bytes'),
      sizes: {
        type: 'object',
        description: 'Smaller versions by name: thumbnail, medium, medium_large, large',
        additionalProperties: ref('ImageSize'),
      },
    },
    ['url'],
  ),
  Media: object(
    'A picture with what is known of it',
    {
      id: integer('Identifier', 1),
      author: text('Identifier of the author, as text', { pattern: '^\\d+$' }),
      date: moment('When it was taken in, in the zone of the site'),
      date_utc: moment('When it was taken in, in UTC'),
      rest_url: address('Address of the picture in this interface'),
      title: text('Title, with &, < and > as HTML entities'),
      alt_text: text('Text in place of the picture, with &, < and > as HTML entities'),
      mime_type: text('Media type of the file'),
      source: text('Address that it was fetched from; empty when it was uploaded'),
      image: ref('Image'),
    },
    ['id', 'author', 'date', 'date_utc', 'rest_url', 'title', 'alt_text', 'mime_type', 'source', 'image'],
  ),
  CostDetails: object(
    'A cost taken apart',
    {
      currency_symbol: text('Symbol of the currency as it was sent; empty when none was'),
      currency_code: text('Code of the currency; empty when it is not known'),
      currency_position: word('Where the symbol stands', ['', 'prefix', 'postfix']),
      values: list('The amounts, smallest first', text('A decimal number, or the text itself where there is none')),
    },
    ['currency_symbol', 'currency_code', 'currency_position', 'values'],
  ),
  DateDetails: object(
    'A date and time taken apart; every part has leading zeros',
    {
      year: text('Year', { pattern: '^\\d{4}$' }),
      month: pair('Month'),
      day: pair('Day'),
      hour: pair('Hour'),
      minutes: pair('Minute'),
      seconds: pair('Second'),
    },
    ['year', 'month', 'day', 'hour', 'minutes', 'seconds'],
  ),
  Ticket: object(
    'A ticket of an event',
    {
      name: text('Name of the ticket'),
      price: text('Price as a decimal number', { pattern: '^\\d+(\\.\\d+)?$' }),
      currency: text('Code of the currency (ISO 4217)', { pattern: '^[A-Z]{3}$' }),
      url: address('Where to get the ticket'),
      capacity: integer('Number of tickets'),
      available_from: text('When the sale begins'),
      available_until: text('When the sale ends'),
      sold_out: { type: 'boolean', description: 'Whether none is left' },
    },
    ['name'],
  ),
  Error: object(
    'An error',
    {
      code: text('Name of the error; it never changes'),
      message: text('What went wrong, in the language of the request'),
      data: object(
        'More about the error',
        {
          status: integer('HTTP status', 400),
          params: {
            type: ['object', 'array'],
            description: 'Sentences about refused parameters by name, or names of missing ones',
          },
          details: {
            type: ['object', 'array'],
            description: 'Refused parameters whose type is wrong, by name; an empty list when there are none',
          },
        },
        ['status'],
      ),
    },
    ['code', 'message', 'data'],
  ),
  Index: object(
    'The routes of the service',
    {
      namespace: text('Namespace of the routes'),
      routes: { type: 'object', description: 'Routes by their pattern', additionalProperties: { type: 'object' } },
      _links: { type: 'object', description: 'Related addresses' },
    },
    ['namespace', 'routes', '_links'],
  ),
  OpenApi: object('This document', { openapi: text('Version of OpenAPI') }, ['openapi']),
}
