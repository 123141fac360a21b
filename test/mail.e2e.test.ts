import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from './support/app.ts'
import { decodedHeader, mailFlags, openSmtp } from './support/smtp.ts'

test('an invitation goes to its address, in two forms and with headers that programs know', async (t) => {
  const smtp = await openSmtp(t)
  const site = await openTestApp(t, { ...mailFlags(smtp), siteName: 'Harbour' })
  const form = { name: 'ada', email: 'ada@example.org', role: 'editor' }
  const answer = await site.call('administrator', 'POST', `${site.origin}/admin/users`, { form })
  assert.equal(answer.status, 200)
  assert.match(answer.body, /A link was sent to ada@example\.org/)
  assert.doesNotMatch(answer.body, /\/admin\/link\//)
  const [mail] = await smtp.arrived(1)
  assert.ok(mail)
  assert.deepEqual([mail.from, mail.to], ['calendar@harbour.example', ['ada@example.org']])
  assert.equal(decodedHeader(mail.header('subject')), 'administrator invites you to Harbour')
  assert.equal(mail.header('from'), 'Harbour <calendar@harbour.example>')
  assert.equal(mail.header('auto-submitted'), 'auto-generated')
  assert.match(mail.header('message-id'), /^<1\.[0-9a-f]{24}@calendar\.example>$/)
  assert.equal(mail.header('list-unsubscribe'), '')
  const text = mail.parts['text/plain'] ?? ''
  const html = mail.parts['text/html'] ?? ''
  for (const part of [text, html]) assert.match(part, /https:\/\/harbour\.example\/admin\/link\/[\w-]{43}/)
  assert.doesNotMatch(html, /<img|url\(|src=/)
  assert.match(text, /Your role: Editor/)
  assert.match(text, /until Friday,? 27 November 2026/)
  const page = await site.call('anonymous', 'GET', site.origin + mail.link)
  assert.match(page.body, /Choose a password for ada/)
})
