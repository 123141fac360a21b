import type { Dice } from './dice.ts'

/** Texts that readers of text trip over; none holds a word that a leak is known by. */
const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfffy',
    '\ufeff',
    '\u202eabc',
    '\u200b',
    '🎪🎭',
    'ﷺ'.repeat(40),
    'e\u0301'.repeat(99),
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf', 'then', 'length', 'undefined'],
  ...["'", '"', "' or 1=1 --", '"; drop table x; --', '%', '_', '\\', '?1', ':a', '$1', '@x', ';', '/*', "x' || 'y"],
  ...[
    '"unclosed',
    '-',
    '-"',
    '"" ""',
    'NEAR(a b)',
    'a*',
    '^a',
    'a AND NOT b',
    '(',
    ')',
    '{a b}:c',
    'col:x',
    '-word',
    '+',
  ],
  ...[
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
    '1e3',
    '９',
    '٣',
    '9'.repeat(400),
    '-1',
    '2147483648',
    '9007199254740993',
  ],
  ...[
    '99999999999999999999',
    '1.5',
    '.5',
    '5.',
    '1,2,,3',
    ',',
    '[]',
    '[1]',
    '{}',
    'null',
    'true,false',
    '1 2',
    '0',
    '00',
  ],
  ...[
    '0000-00-00',
    '9999-12-31 23:59:59',
    '10000-01-01',
    '1000-01-01',
    '0999-12-31',
    '2027-02-30',
    '2027-13-01',
    '99991231',
  ],
  ...[
    '2027-03-28 02:30:00',
    '2027-01-01T24:00:00',
    '2027-01-01 23:59:60',
    '2027-W53-7',
    '@1e20',
    '-99999999999',
    '253402300800',
  ],
  ...[
    '+99999 days',
    'last monday of',
    'first day of next month',
    'now +1 year -1 month',
    'yesterday noon',
    'tomorrow 25:61',
  ],
  ...['2027-01-01T00:00:00+99:99', '2027-01-01T00:00:00.123456789Z', '12/31/2027', '31.12.2027', '20270101T000000Z'],
  ...[
    'UTC+14',
    'UTC-99',
    'Etc/GMT+12',
    'europe/berlin',
    '../../etc/x',
    'Europe/Nowhere',
    '+25:00',
    'posixrules',
    'GMT0',
  ],
  ...[
    'a@',
    '@b',
    'a@b@c',
    `${'a'.repeat(70)}@b.example`,
    '"a b"@c.example',
    'a@[127.0.0.1]',
    'a@b..c',
    'ä@b.example\n',
  ],
  ...[
    'javascript:alert(1)',
    'http://',
    'http:///x',
    'https://[::1',
    'http://a b/',
    'ftp://a/',
    '//x',
    'http://\u0000/',
    'HTTP://É/',
  ],
  ...[
    'http://%ff/',
    'http://x:99999/',
    'http://user:pass@h/',
    'data:,x',
    `https://a.example/${'x'.repeat(3000)}`,
    '#',
    '?',
  ],
  ...[
    '<',
    '<a',
    '<a href="',
    '<!--',
    '<![CDATA[',
    '<script>',
    '&#xd800;',
    '&#0;',
    '&#99999999;',
    '&amp;lt;',
    '&',
    '<p'.repeat(200),
  ],
  ...[
    '<b>'.repeat(300),
    '<table><td>'.repeat(50),
    '<i style="color:red;}{">',
    '<p style="a:/*">',
    '<img src="data:x">',
    '</p>',
  ],
  ...[
    '\r\n',
    '\r\nX-Injected: 1',
    '\n\n\n',
    '\t',
    '\u2028',
    '\u0085',
    '/',
    '..',
    '%2e%2e',
    '%00',
    '%',
    '%zz',
    '%c0%af',
    '+',
    '&',
    '=',
  ],
  ...[
    'word '.repeat(500),
    'x'.repeat(1001),
    'x'.repeat(12_000),
    'ß'.repeat(900),
    '漢字'.repeat(120),
    'İıſK',
    '{name}',
    '{params}',
    '$&',
    '$`',
  ],
]

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'venue',
  'organizer',
  'name',
  'slug',
  'price',
  '0',
  '',
  'length',
]

/** A text that somebody might trip over. */
export function hostileText(dice: Dice): string {
  if (dice.chance(0.1)) return dice.pick(TEXTS) + dice.pick(TEXTS)
  if (dice.chance(0.05))
    return Array.from({ length: dice.below(12) }, () => String.fromCharCode(dice.below(65_536))).join('')
  return dice.pick(TEXTS)
}

/** Numbers at the ends of every range. */
const NUMBERS: readonly number[] = [
  ...[
    0,
    -0,
    -1,
    0.5,
    1e-7,
    1e21,
    1e300,
    -1e300,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    -(2 ** 63),
  ],
  ...[253402300799, 253402300800, -30610224001, 1925000000, 99999999, 100000000, 90, 180, -180.0001],
]

/** A JSON value of any type and shape. */
export function hostileValue(dice: Dice, depth = 3): unknown {
  const kind = dice.below(depth > 0 ? 10 : 6)
  if (kind < 3) return hostileText(dice)
  if (kind === 3) return dice.pick(NUMBERS)
  if (kind === 4) return dice.pick([true, false, null])
  if (kind === 5) return dice.below(80)
  if (kind < 8) return Array.from({ length: dice.below(4) }, () => hostileValue(dice, depth - 1))
  // Written as entries: a literal would take `__proto__` for the prototype.
  const entries = Array.from(
    { length: dice.below(4) },
    () => [dice.pick(NAMES), hostileValue(dice, depth - 1)] as const,
  )
  return Object.fromEntries(entries)
}
