/** Letters that have no decomposition in Unicode although people type and read them as plain Latin ones. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ŋ: 'n',
  Ŋ: 'N',
  ı: 'i',
  ƶ: 'z',
  Ƶ: 'Z',
  ɨ: 'i',
  Ɨ: 'I',
}

const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** The text with letters such as `ß æ ø ł đ þ œ ı` written in plain Latin (`ss ae o l d th oe i`); case is kept. */
export function plainLatin(text: string): string {
  return text.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)
}
