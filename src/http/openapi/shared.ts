import { address, flag, integer, list, moment, NOTHING, object, open, type Schema, text, word } from './parts.ts'

const pair = (description: string, example: string): Schema => text(description, example, { pattern: '^\\d\\d$' })

const API = 'https://calendar.example/cal/events/v1'
const PICTURE = 'https://calendar.example/pictures/regatta.png'

/** An address that somebody has sent or recorded; it may hold letters of all scripts. */
function sentAddress(description: string, example: string): Schema {
  return text(description, example, { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$' })
}

/** Related addresses by relation, each a list of links (wire: rest 1.5, 5.1). */
export function links(required: readonly string[], further: readonly string[] = []): Schema {
  const href = { type: 'string', format: 'uri', examples: [API] }
  const link = { type: 'object', properties: { embeddable: { const: true }, href }, required: ['href'] }
  const related = { type: 'array', items: { ...link, additionalProperties: false } }
  const linked = [...required, ...further].map((name): [string, Schema] => [name, related])
  return object('Related addresses', Object.fromEntries(linked), required)
}

/** Schemas that representations are made of. */
export const SHARED_SCHEMAS: Readonly<Record<string, Schema>> = {
  ImageSize: open(
    'A picture in one size',
    {
      width: integer('Width in pixels', 300),
      height: integer('Height in pixels', 225),
      'mime-type': text('Media type of the file', 'image/png'),
      filesize: integer('Size of the file in bytes', 844),
      url: text('Address of the file', 'https://calendar.example/pictures/regatta-300x225.png'),
    },
    [],
  ),
  Image: open(
    'A picture',
    {
      url: text('Address of the file', PICTURE),
      // Imported pictures are answered as they were recorded, some of them with an id that is text.
      id: { type: ['integer', 'string'], description: 'Identifier', examples: [6] },
      extension: text('Ending of the file name', 'png'),
      width: integer('Width in pixels', 1200),
      height: integer('Height in pixels', 900),
      filesize: integer('Size of the file in bytes', 5150),
      sizes: {
        type: ['object', 'array'],
        description: 'Smaller versions by name: thumbnail, medium, medium_large, large',
        additionalProperties: { $ref: '#/components/schemas/ImageSize' },
        maxItems: 0,
      },
    },
    ['url'],
  ),
  CostDetails: object('A cost taken apart', {
    currency_symbol: text('Symbol of the currency as it was sent; empty when none was', '€'),
    currency_code: text('Code of the currency; empty when it is not known', ''),
    currency_position: word('Where the symbol stands', ['', 'prefix', 'postfix']),
    values: list(
      'The amounts, smallest first',
      text('A decimal number, or the text itself where there is none', '12.50'),
    ),
  }),
  DateDetails: object('A date and time taken apart; every part has leading zeros', {
    year: text('Year', '2027', { pattern: '^\\d{4}$' }),
    month: pair('Month', '04'),
    day: pair('Day', '17'),
    hour: pair('Hour', '09'),
    minutes: pair('Minute', '30'),
    seconds: pair('Second', '00'),
  }),
  Ticket: object(
    'A ticket of an event',
    {
      name: text('Name of the ticket', 'Standing', { minLength: 1 }),
      price: text('Price as a decimal number', '12.50', { pattern: '^\\d+(\\.\\d+)?$' }),
      currency: text('Code of the currency (ISO 4217)', 'EUR', { pattern: '^[A-Z]{3}$' }),
      url: sentAddress('Where to get the ticket', 'https://tickets.example/regatta'),
      capacity: integer('Number of tickets', 120),
      available_from: moment('When the sale begins', '2027-03-01 09:00:00'),
      available_until: moment('When the sale ends', '2027-04-16 18:00:00'),
      sold_out: flag('Whether none is left'),
    },
    ['name'],
  ),
  TermUrls: object(
    'Addresses in this interface',
    {
      self: address('Address of the term', `${API}/categories/6`),
      collection: address('Address of the list', `${API}/categories`),
      up: address('Address of the category above; absent at the top', `${API}/categories/5`),
    },
    ['self', 'collection'],
  ),
}

/** What is absent: an empty array takes its place (wire: events 1.2). */
export const ABSENT: Schema = { ...NOTHING, description: 'Always empty' }
