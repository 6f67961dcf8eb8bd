/** Documentation site styles, added to the service's page styles. */
export const LAYOUT = `
.site { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.5rem; }
.site article { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-content: start; max-width: 52rem; }
.site article h1 { margin-bottom: .3rem; }
.site article h2 { margin-top: 1.2rem; }
.site article h3 { margin-top: .6rem; }
.site article :is(h1, h2, h3, h4) { scroll-margin-top: 1rem; }
.site article :is(ul, ol) { margin: 0; padding-left: 1.3rem; display: grid; gap: .35rem; }
.site article li > * + * { margin-top: .35rem; }
.site article img { max-width: 100%; height: auto; display: block; border: 1px solid var(--line); border-radius: 10px; }
.site article h1 code { font-size: .9em; }
.site .wide { overflow-x: auto; }
.site .wide td { min-width: 7rem; overflow-wrap: normal; }
.site .wide td:has(img) { min-width: 15rem; }
header .search { margin-left: auto; }
header .search input { width: 12rem; max-width: 40vw; padding: .35rem .6rem; }
.site .results { list-style: none; padding: 0; gap: 1.2rem; }
.site .results p { margin: .2rem 0 0; color: var(--quiet); }
.site .contents { border-top: 1px solid var(--line); padding-top: 1.5rem; scroll-margin-top: 1rem; }
.site .contents h2 { font: 600 .82rem/1.3 var(--sans); color: var(--quiet); letter-spacing: 0; margin: 1.1rem 0 .2rem; }
.site .contents h2:first-child { margin-top: 0; }
.site .contents a[aria-current] { color: var(--ink); font-weight: 600; }
@media (min-width: 60rem) {
  .site { grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; }
  .site article { grid-column: 2; grid-row: 1; }
  .site .contents { grid-column: 1; grid-row: 1; border: 0; padding: 0; position: static; max-height: none; }
  .site .contents a { padding: .22rem 0; }
  .top .tabs { display: none; }
}
`;
