/**
 * The only style sheet: system fonts, one column, light and dark. Every colour of text has a contrast of 4.5 or more
 * against its ground.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fff; --text: #1c1c1e; --quiet: #56565c; --line: #d8d8de; --link: #0b57a4; --mark: #f3f3f6;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #17181b; --text: #ececf0; --quiet: #abacb6; --line: #3b3c43; --link: #8ec1ff; --mark: #24252a; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 44rem; padding: 0 1.25rem; background: var(--ground); color: var(--text);
  font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: break-word;
}
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
header, footer { padding: 1rem 0; }
header { border-bottom: 1px solid var(--line); font-weight: 600; }
header a { color: inherit; text-decoration: none; }
header a:hover { text-decoration: underline; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; color: var(--quiet); font-size: .9375rem; }
main { padding-top: 1.75rem; }
h1, h2 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: 2rem; margin: 0 0 1rem; }
h2 { font-size: 1.3125rem; margin: 2.25rem 0 .75rem; }
.kind { margin: 0 0 .25rem; color: var(--quiet); font-size: .9375rem; }
.note { padding: .6rem .9rem; background: var(--mark); border-left: 4px solid var(--quiet); }
.events { list-style: none; margin: 0; padding: 0; }
.events li { padding: .8rem 0; border-top: 1px solid var(--line); }
.events a.title { font-weight: 600; }
.events p { margin: .1rem 0 0; color: var(--quiet); }
.clocks { white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .4rem 1.25rem; margin: 0 0 1.5rem; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  h1 { font-size: 1.625rem; }
  dl { display: block; }
  dd { margin-bottom: .6rem; }
}
img, video, iframe { max-width: 100%; }
img, video { height: auto; }
.picture img { display: block; max-height: 24rem; border-radius: 4px; }
pre { overflow-x: auto; }
table { display: block; overflow-x: auto; }
code { padding: .1rem .3rem; background: var(--mark); border-radius: 3px; font-size: .9375em; overflow-wrap: anywhere; }
`
