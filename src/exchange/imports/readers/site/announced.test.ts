import assert from 'node:assert/strict'
import test from 'node:test'
import { linksInHead, linksInHeader } from './announced.ts'

const HREF = 'https://club.example/wp-json/'
const LINK = `<link rel="https://api.w.org/" href="${HREF}">`

test('a link in the head of a page announces the API, however it is written', () => {
  const links = [
    LINK,
    `<LINK REL='https://api.w.org/' HREF='${HREF}' />`,
    `<link href=${HREF} rel=https://api.w.org/>`,
    `<link title="a > b" rel="alternate https://api.w.org/" href="${HREF}">`,
    `<link\n  rel = "https://api.w.org/"\n  href = "&#104;ttps://club.example/wp-json/"\n>`,
  ]
  for (const link of links) {
    assert.deepEqual(linksInHead(`<!DOCTYPE html><html><head><title>Club</title>${link}</head></html>`), [HREF], link)
    assert.deepEqual(
      linksInHead(`<!-- a --><meta charset=utf-8><script>if (1 < 2) x()</script>${link}<p>`),
      [HREF],
      link,
    )
  }
})

test('comments, scripts, templates, titles and the body announce nothing', () => {
  const heads = [
    `<!-- ${LINK} -->`,
    `<!-- <b> ${LINK}`,
    `<script>document.write('${LINK}')</script>`,
    `<SCRIPT type="text/template">${LINK}</SCRIPT >`,
    `<script>${LINK}`,
    `<style>${LINK}</style>`,
    `<template>${LINK}</template>`,
    `<template><div><template></template>${LINK}</div></template>`,
    `<noscript>${LINK}</noscript>`,
    `<title>${LINK}</title>`,
    `</head><body>${LINK}`,
    `</head>${LINK}`,
    `<body>${LINK}`,
    `<p>Hello</p>${LINK}`,
    `<div>${LINK}</div>`,
    `<link rel="stylesheet" title='rel="https://api.w.org/"' href="/style.css">`,
    `<link rel="https://api.w.org/evil" href="${HREF}">`,
    `<meta name="x" content='${LINK}'>`,
  ]
  for (const head of heads) assert.deepEqual(linksInHead(`<html><head>${head}</head></html>`), [], head)
})

test('the Link header announces the API by its relation alone', () => {
  const cases = [
    [`<${HREF}>; rel="https://api.w.org/"`, [HREF]],
    [`<https://a.example/?p=1>; rel=shortlink, <${HREF}>; rel=https://api.w.org/`, [HREF]],
    [`<${HREF}>; rel="alternate https://api.w.org/"; type="application/json"`, [HREF]],
    [`<${HREF}>; rel="alternate"; title="https://api.w.org/"`, []],
    ['', []],
  ] as const
  for (const [header, links] of cases) assert.deepEqual(linksInHeader(header), links, header)
})
