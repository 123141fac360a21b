import fc from 'fast-check'

const PIECES = [
  ...[
    'Jazz',
    'fête',
    ' ',
    '  ',
    '&',
    '&amp;',
    '&amp;amp;',
    '&lt;b&gt;',
    '<b>',
    '</b>',
    '<',
    '>',
    '"',
    "'",
    '\\',
    '%',
    '%26',
    ',',
  ],
  ...[
    '&nbsp;',
    '&#39;',
    '&#0;',
    '&eacute;',
    'e\u0301',
    '🎪',
    '👩‍👩‍👧',
    'שלום',
    'مرحبا',
    '\u202e',
    '\u200b',
    '日本',
    '\0',
    '\ud800',
  ],
  ...['<script>x</script>', '[x]', '0', '-', '\t', '\n', 'ß', 'İ', '{name}'],
]

/** Names and titles as people write them and as nobody should; never blank. */
export const anyName = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => `N${pieces.join('')}`)
