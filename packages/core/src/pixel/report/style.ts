/** Report stylesheet for light mode, dark mode, and print. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #e0e1e6; --page: #fcfcfd; --card: #fff;
  --error: #b3261e; --warn: #8a5a00; --info: #3a5ba9; --good: #18794e; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #b0b4ba; --line: #363a3f; --page: #111113;
  --card: #18191b; --error: #ff9592; --warn: #ffca16; --info: #9eb1ff; --good: #3dd68c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; }
a { color: inherit; }
.soft, dt, th { color: var(--soft); }
.top { display: flex; gap: 1.5rem; align-items: center; justify-content: space-between; }
.score { flex: none; width: 6.5rem; height: 6.5rem; }
.score text { fill: var(--ink); font: 700 30px system-ui, sans-serif; text-anchor: middle; }
.score .of { fill: var(--soft); font: 400 10px system-ui, sans-serif; }
.score circle { fill: none; stroke-width: 9; stroke: var(--line); }
.score .part { stroke: var(--good); stroke-linecap: round; }
.score .part.low { stroke: var(--error); }
.score .part.middle { stroke: var(--warn); }
.counts { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 1rem 0 0; list-style: none; }
.counts li, .tag { border: 1px solid currentColor; border-radius: 99px; padding: 0 .6rem; font-size: .85rem; font-weight: 600; }
.error { color: var(--error); } .warn { color: var(--warn); } .info { color: var(--info); }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.1rem; margin: .75rem 0;
  break-inside: avoid; }
article header { display: flex; gap: .75rem; align-items: baseline; justify-content: space-between; }
article .tag { flex: none; }
dl { display: grid; grid-template-columns: 7rem 1fr; gap: .25rem .75rem; margin: .75rem 0 0; font-size: .925rem; }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, monospace; }
pre { margin: .75rem 0 0; padding: .6rem .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--page); border: 1px solid var(--line); border-radius: 6px; font: .825rem/1.45 ui-monospace, monospace; }
.wide { overflow-x: auto; }
.wide table { min-width: 36rem; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
td { overflow-wrap: anywhere; }
td.name { white-space: nowrap; } td.path { min-width: 11rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 0; }
.seen { display: flex; gap: 1rem; margin-top: .6rem; align-items: start; }
.seen img { flex: none; width: 11rem; border: 1px solid var(--line); border-radius: 6px; }
.seen > div { flex: 1; min-width: 0; }
.seen details { margin-top: .4rem; font-size: .875rem; overflow-wrap: anywhere; }
.seen ol { margin: 0; padding: 0 0 0 .9rem; list-style: none; border-left: 2px solid var(--line); font-size: .925rem; }
.seen li { margin: 0 0 .5rem; overflow-wrap: anywhere; }
.time { display: inline-block; min-width: 3.2rem; color: var(--soft); font-variant-numeric: tabular-nums; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; color: var(--soft); }
@media (max-width: 30rem) { .seen { flex-direction: column; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } .top { align-items: start; gap: .75rem; } .score { width: 4.75rem; height: 4.75rem; } h1 { font-size: 1.3rem; } }
@media print { body { background: #fff; font-size: 11pt; } main { max-width: none; padding: 0; } article { border-color: #bbb; } }
`;
