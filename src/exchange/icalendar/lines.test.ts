import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { line, parameterValue, textValue } from './lines.ts'

const anyText = fc.string({ unit: fc.constantFrom(...'ab ,;:\\"^\n', 'ü', '語', '🎷', '\u0301'), maxLength: 300 })

test('a line is folded at 75 bytes, never within a character', () => {
  assert.equal(line('SUMMARY', 'x'.repeat(67)), `SUMMARY:${'x'.repeat(67)}\r\n`)
  assert.equal(line('SUMMARY', 'x'.repeat(68)), `SUMMARY:${'x'.repeat(67)}\r\n x\r\n`)
  assert.equal(line('SUMMARY', 'x'.repeat(142)), `SUMMARY:${'x'.repeat(67)}\r\n ${'x'.repeat(74)}\r\n x\r\n`)
  // 8 bytes of the name, then 22 of three bytes each and one byte that is left free.
  assert.equal(line('SUMMARY', '語'.repeat(23)), `SUMMARY:${'語'.repeat(22)}\r\n 語\r\n`)
  assert.equal(line('SUMMARY', '🎷'.repeat(17)), `SUMMARY:${'🎷'.repeat(16)}\r\n 🎷\r\n`)
})

test('unfolding gives every line back (RFC 5545 section 3.1)', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const written = line('SUMMARY', textValue(text))
      assert.equal(written.replaceAll('\r\n ', ''), `SUMMARY:${textValue(text)}\r\n`)
      for (const part of written.slice(0, -2).split('\r\n')) {
        assert.ok(Buffer.byteLength(part) <= 75, part)
        assert.ok(part.isWellFormed(), part)
      }
    }),
  )
})

test('text is escaped (RFC 5545 section 3.3.11)', () => {
  assert.equal(textValue('a, b; c\\n: "d"\ne\r\nf'), 'a\\, b\\; c\\\\n: "d"\\ne\\nf')
  assert.equal(textValue('a\u0000\u0007\tb\u007f'), 'a\tb')
  assert.equal(textValue('1\u00012\n'), '12\\n')
})

test('parameters are quoted, with what quotes cannot hold in carets (RFC 6868)', () => {
  assert.equal(parameterValue('Ada: "X", Y; ^\n'), '"Ada: ^\'X^\', Y; ^^^n"')
})

test('another reader reads what was written', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      // To that reader a backslash in a parameter is an escape, which RFC 5545 section 3.2 does not know.
      const name = text.replaceAll('\\', '')
      const written = line(`SUMMARY;ALTREP=${parameterValue(name)}`, textValue(`${text}.`))
      const event = new ICAL.Component(ICAL.parse(`${line('BEGIN', 'VEVENT')}${written}${line('END', 'VEVENT')}`))
      const property = event.getFirstProperty('summary') ?? assert.fail('no property')
      assert.deepEqual([property.getFirstValue(), property.getFirstParameter('altrep')], [`${text}.`, name])
    }),
  )
})
