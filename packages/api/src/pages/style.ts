/**
 * Stylesheet for all pages, with light and dark colors and one accent color. Pages use only system fonts, so no web
 * fonts are loaded.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --card: #ffffff; --well: #f3f1ec;
  --ink: #1c1e21; --quiet: #5b5e66; --line: #e1ded6; --edge: #8b8d93;
  --accent: #0d5f5a; --accent-deep: #094844; --on-accent: #ffffff; --accent-tint: #e2efed;
  --good: #1d6638; --good-tint: #e4f1e8; --warn: #7a4c00; --warn-tint: #f8edd6; --bad: #a1262b; --bad-tint: #fae8e7;
  --sans: ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Open Sans", sans-serif;
  --serif: ui-serif, "Iowan Old Style", Charter, "Source Serif 4", Georgia, "Noto Serif", "DejaVu Serif", serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131517; --card: #1a1d20; --well: #212529;
    --ink: #e8e6e1; --quiet: #a5a8af; --line: #2d3136; --edge: #767a82;
    --accent: #6cc5bb; --accent-deep: #93d8d0; --on-accent: #0a1a18; --accent-tint: #17302e;
    --good: #7fcb98; --good-tint: #172c1e; --warn: #e2b566; --warn-tint: #322711; --bad: #f2938e; --bad-tint: #371c1c;
  }
}

*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.55 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; margin: 0; }
h1 { font-size: clamp(1.65rem, 1.35rem + 1.3vw, 2.15rem); letter-spacing: -.012em; }
h2 { font-size: 1.28rem; letter-spacing: -.006em; }
h3 { font-size: 1.05rem; }
p { margin: 0; text-wrap: pretty; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { color: var(--accent-deep); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code, .mono { font-family: var(--mono); font-size: .92em; }
time, .figure { font-variant-numeric: tabular-nums; }
.quiet { color: var(--quiet); }
.small { font-size: .875rem; }
.lead { color: var(--quiet); max-width: 44rem; text-wrap: balance; }
.prose { white-space: pre-line; max-width: 44rem; }

.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 1; }
.top, main, .bottom { width: 100%; max-width: 68rem; margin: 0 auto; padding-inline: clamp(1rem, 4vw, 2rem); }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem; padding-block: 1.1rem; }
.brand {
  display: inline-flex; align-items: center; gap: .6rem; min-height: 2.75rem; margin-right: auto;
  color: var(--ink); text-decoration: none; font: 600 1.05rem/1 var(--serif);
}
.brand:hover { color: var(--accent); }
.mark { width: 1.7rem; height: 1.7rem; fill: none; stroke: var(--accent); stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round; }
.mark rect { fill: var(--accent); stroke: none; }
.mark path { stroke: var(--on-accent); stroke-width: 3; }
.tabs { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .25rem; }
.tabs a, .top form button {
  display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .7rem; border: 0; border-radius: 8px;
  background: none; color: var(--quiet); font: inherit; text-decoration: none; cursor: pointer;
}
.tabs a:hover, .top form button:hover { color: var(--ink); background: var(--well); }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--accent); border-radius: 0; }
main { flex: 1; padding-block: clamp(1rem, 3vw, 2rem) 4rem; display: grid; gap: 1.75rem; align-content: start; }
main > *, .card > * { min-width: 0; }
.narrow { width: 100%; max-width: 34rem; margin-inline: auto; display: grid; gap: 1.75rem; }
.bottom { padding-block: 1.25rem 2rem; color: var(--quiet); font-size: .875rem; }
.languages { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding-bottom: 1rem; }
.languages a { padding-block: .3rem; color: inherit; }
.languages [aria-current] { font-weight: 600; }
.bottom p { border-top: 1px solid var(--line); padding-top: 1.1rem; }

.heading { display: grid; gap: .6rem; }
.heading h1.mono { font-size: clamp(1.15rem, .95rem + 1.2vw, 1.6rem); letter-spacing: 0; font-weight: 600; }
.crumb { font-size: .9rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1rem, 2.6vw, 1.6rem); display: grid; gap: 1.1rem; }
.card[hidden] { display: none; }
.columns { display: grid; gap: 1.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); align-items: start; }
.between { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: baseline; justify-content: space-between; }

form { display: grid; gap: 1.1rem; }
form.line { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
form.line .field { flex: 1 1 12rem; }
.field { display: grid; gap: .3rem; }
label { font-weight: 600; font-size: .94rem; }
.hint { color: var(--quiet); font-size: .875rem; }
.error { color: var(--bad); font-size: .9rem; font-weight: 600; }
input, select, textarea {
  width: 100%; min-height: 2.75rem; padding: .55rem .75rem; border: 1px solid var(--edge); border-radius: 9px;
  background: var(--paper); color: var(--ink); font: inherit;
}
input[type=file] { min-width: 0; padding: .5rem; }
textarea { resize: vertical; line-height: 1.5; }
input:focus, select:focus, textarea:focus { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: 0; }
[aria-invalid] { border-color: var(--bad); }
.check { display: flex; gap: .65rem; align-items: flex-start; font-weight: 400; min-height: 1.75rem; }
.check input { width: 1.2rem; height: 1.2rem; min-height: 0; margin: .18rem 0 0; flex: none; accent-color: var(--accent); }
.trap { position: absolute; left: -999rem; width: 1px; height: 1px; overflow: hidden; }
.button, main form button {
  display: inline-flex; align-items: center; justify-content: center; justify-self: start; min-height: 2.75rem; padding: .5rem 1.2rem;
  border: 1px solid transparent; border-radius: 9px; background: var(--accent); color: var(--on-accent); font: 600 1rem/1.2 var(--sans);
  text-decoration: none; cursor: pointer;
}
.button:hover, main form button:hover { background: var(--accent-deep); color: var(--on-accent); }
main form button.plain { background: none; border-color: var(--edge); color: var(--ink); }
main form button.plain:hover { background: var(--well); color: var(--ink); }
main form button.danger { background: none; border-color: var(--bad); color: var(--bad); }
main form button.danger:hover { background: var(--bad-tint); color: var(--bad); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: flex-start; }
.actions summary { padding: 0 1.1rem; border: 1px solid var(--edge); border-radius: 9px; color: var(--ink); }
.actions summary:hover { background: var(--well); }
.actions details[open] { flex-basis: 100%; }
.actions details[open] > form { max-width: 26rem; padding: 1rem 0 .5rem; }
summary { cursor: pointer; min-height: 2.75rem; display: inline-flex; align-items: center; gap: .5rem; font-weight: 600; color: var(--accent); border-radius: 6px; }
summary::before { content: "+"; font-family: var(--mono); }
details[open] > summary::before { content: "\\2212"; }
summary::-webkit-details-marker { display: none; }
summary.bad { color: var(--bad); }
details > form, details > .within { padding-top: .6rem; }
details.card { display: block; padding-block: clamp(.5rem, 1.4vw, .9rem); }
details.card[open] { padding-bottom: clamp(1rem, 2.6vw, 1.6rem); }

.notice { border-radius: 12px; padding: .9rem 1.1rem; background: var(--accent-tint); border-left: 4px solid var(--accent); display: grid; gap: .35rem; }
.notice.good { background: var(--good-tint); border-color: var(--good); }
.notice.warn { background: var(--warn-tint); border-color: var(--warn); }
.notice.bad { background: var(--bad-tint); border-color: var(--bad); }
.badge { display: inline-block; padding: .08rem .6rem; border-radius: 99px; font: 600 .82rem/1.55 var(--sans); background: var(--well); color: var(--quiet); white-space: nowrap; }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.badge.bad { background: var(--bad-tint); color: var(--bad); }
.secret { display: block; padding: 1rem 1.1rem; border: 1px dashed var(--accent); border-radius: 10px; background: var(--paper); font: 600 1.05rem/1.5 var(--mono); user-select: all; -webkit-user-select: all; word-break: break-all; }

.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 7rem), 1fr)); gap: .8rem 1.25rem; margin: 0; }
.facts.wide { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); }
.facts div { min-width: 0; }
.facts .whole { grid-column: 1 / -1; }
dt { color: var(--quiet); font-size: .82rem; }
dd { margin: .1rem 0 0; }
.rows { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.rows > li { padding: 1.05rem clamp(1rem, 2.6vw, 1.5rem); display: grid; gap: .7rem; }
.rows > li + li { border-top: 1px solid var(--line); }
.name { font-weight: 600; }
.rows .between + .small { margin-top: .25rem; }
.rows a.mono, .crumb a { text-decoration: none; font-weight: 600; }
.rows a.mono:hover, .crumb a:hover { text-decoration: underline; }
.empty { padding: 2.25rem 1.5rem; text-align: center; color: var(--quiet); background: var(--card); border: 1px dashed var(--line); border-radius: 14px; }
@media (min-width: 56rem) {
  .keys > li { grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr); align-items: center; gap: 1.5rem; }
  .keys .facts { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}

table { width: 100%; border-collapse: collapse; font-size: .95rem; }
caption { text-align: left; color: var(--quiet); font-size: .875rem; padding-bottom: .5rem; }
thead th { white-space: nowrap; }
th { text-align: left; color: var(--quiet); font-weight: 600; font-size: .85rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody th { color: var(--ink); font-size: inherit; font-weight: 400; }
tr:last-child > * { border-bottom: 0; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 0; }
th.number + th.number, td.number + td.number { padding-left: .75rem; }
del { color: var(--bad); text-decoration-thickness: 1px; }
ins { color: var(--good); text-decoration: none; }
.changes { display: grid; gap: .25rem; margin: 0; padding: 0; list-style: none; font-size: .92rem; }

.chart { margin: 0; display: grid; gap: .4rem; }
.chart svg { display: block; width: 100%; height: 9rem; }
.chart .bar { fill: var(--accent); }
.chart .none { fill: var(--line); }
.chart .between { color: var(--quiet); font-size: .82rem; }
.filters { display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
.filters a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .95rem; border: 1px solid var(--line); border-radius: 99px; color: var(--ink); text-decoration: none; background: var(--card); }
.filters a[aria-current] { border-color: var(--accent); background: var(--accent-tint); font-weight: 600; }
h4 { font: 600 .82rem/1.3 var(--sans); color: var(--quiet); margin: 0 0 .5rem; }
pre { margin: 0; padding: .85rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--well); font: .84rem/1.55 var(--mono); overflow-wrap: normal; tab-size: 4; }
pre code { font-size: inherit; }
.prose-page { width: 100%; max-width: 48rem; margin-inline: auto; display: grid; gap: 1.75rem; }
.prose-page section, .topic, .home section { display: grid; gap: .75rem; min-width: 0; }
.prose-page > *, .home > *, .chapters > * { min-width: 0; }
.prose-page ul:not([class]), .topic > ul:not([class]) { margin: 0; padding-left: 1.2rem; display: grid; gap: .35rem; }
.date { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.number + td { padding-left: 1.5rem; } th.number + th { padding-left: 1.5rem; }

.manual { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
.chapters { display: grid; gap: 3rem; min-width: 0; }
.chapters .topic { gap: 1rem; scroll-margin-top: 1rem; }
.chapters p, .chapters > .topic > ul { max-width: 44rem; }
.contents ul { list-style: none; margin: 0; padding: 0; font-size: .92rem; }
.contents ul ul { padding-left: .9rem; }
.contents a { display: block; padding: .3rem 0; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.operation { scroll-margin-top: 1rem; gap: 1.4rem; }
.snippets > details { min-width: 0; }
.snippets details[open] { padding-bottom: .5rem; }
@supports selector(::details-content) {
  .snippets { display: grid; grid-template-columns: repeat(4, auto) 1fr; gap: 0 .25rem; }
  .snippets > details { display: contents; }
  .snippets > details::details-content { grid-row: 2; grid-column: 1 / -1; position: relative; min-width: 0; }
  .snippets summary { padding: 0 .7rem; border-radius: 8px 8px 0 0; color: var(--quiet); }
  .snippets > details:not([open])::details-content { display: none; }
  .snippets > details > summary::before { content: none; }
  .snippets summary:hover { color: var(--ink); background: var(--well); }
  .snippets [open] > summary { color: var(--ink); box-shadow: inset 0 -2px var(--accent); }
}
.snippets > details { position: relative; }
.copy { position: absolute; top: .4rem; right: .4rem; min-height: 2rem; padding: 0 .7rem; border: 1px solid var(--edge); border-radius: 7px; background: var(--card); color: var(--ink); font: 500 .84rem/1 var(--sans); cursor: pointer; }
.copy:hover { border-color: var(--accent); }
.snippets pre:has(+ .copy) { padding-top: 2.9rem; }
.try form { gap: .9rem; }
.try .status:empty { display: none; }
.try textarea { font-size: .84rem; }
.response { max-height: 28rem; overflow: auto; }
.filter { margin-bottom: 1rem; }
.filter[hidden], .operation[hidden] { display: none; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields > li { padding: .55rem 0; border-top: 1px solid var(--line); display: grid; gap: .15rem; }
.fields > li:first-child { border-top: 0; padding-top: 0; }
.fields details > .fields { margin-left: .2rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.fields summary { font-size: .875rem; font-weight: 500; min-height: 2rem; }
.fields .fields > li:first-child { padding-top: .4rem; }
.values code { display: inline-block; padding: 0 .4rem; border-radius: 5px; background: var(--well); }
.codes { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem .5rem; }
.codes a { display: inline-flex; align-items: center; min-height: 2rem; padding: 0 .7rem; border: 1px solid var(--line); border-radius: 8px; text-decoration: none; }
.codes a:hover { border-color: var(--accent); }

.home { width: 100%; max-width: 52rem; margin-inline: auto; display: grid; gap: 2rem; }
.check-tool { gap: 1rem; scroll-margin-top: 1rem; }
.check-tool form.line { align-items: flex-end; }
.check-tool .working:empty, .check-tool .result:empty { display: none; }
.check-tool .working { color: var(--quiet); }
.check-tool .working::before { content: ""; display: inline-block; width: .8rem; height: .8rem; margin-right: .6rem; border: 2px solid var(--line); border-top-color: var(--accent); border-radius: 50%; vertical-align: -.1rem; }
.check-tool [aria-disabled] { opacity: .55; cursor: progress; }
.result { display: grid; gap: 1.1rem; padding-top: 1.2rem; border-top: 1px solid var(--line); min-width: 0; }
.result h3:focus { outline: none; }
.queried { font-size: 1.1rem; font-weight: 600; }
.scored { display: flex; gap: 1.25rem; align-items: flex-start; justify-content: space-between; }
.scored .heading { min-width: 0; }
.dial { flex: none; width: 6rem; height: 6rem; }
.dial circle { fill: none; stroke: var(--line); stroke-width: 9; }
.dial .part { stroke: var(--good); stroke-linecap: round; }
.dial.warn .part { stroke: var(--warn); }
.dial.bad .part { stroke: var(--bad); }
.dial text { fill: var(--ink); font: 700 30px var(--sans); text-anchor: middle; }
.dial .of { fill: var(--quiet); font: 400 11px var(--sans); }
.ways { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
.ways a { display: grid; gap: .15rem; align-content: start; height: 100%; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: var(--ink); text-decoration: none; }
.ways a:hover { border-color: var(--accent); }
.ways strong { color: var(--accent); }
.ways span { color: var(--quiet); font-size: .9rem; }
@media (prefers-reduced-motion: no-preference) {
  .check-tool .working::before { animation: turn .9s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } }
}
@media (min-width: 60rem) {
  .manual { grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; }
  .contents { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
  @supports selector(::details-content) {
    .contents details::details-content { content-visibility: visible; }
    .contents summary { display: none; }
  }
}
@media (max-width: 30rem) { .dial { width: 4.75rem; height: 4.75rem; } }
@media (prefers-reduced-motion: no-preference) { .button, form button, .tabs a { transition: background-color .12s, color .12s; } }
@media (max-width: 44rem) {
  .tabs { order: 1; flex-basis: 100%; margin-inline: -.55rem; gap: 0; }
  .tabs a { padding: 0 .55rem; }
  .brand { font-size: .98rem; }
  .top form button { padding: 0; }
}
@media print { .top nav, form, .skip { display: none; } }
`;
