import type { Html } from '@compliance/api/pages';
import { html } from 'hono/html';

/** Returns the search field in the header of every page. */
export const searchField = (query = ''): Html =>
  html`<form class="search" role="search" action="/search"><input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" maxlength="200"></form>`;

/** Returns the body of the search page. `search.js` fills in the results. */
export const searchResults = (query: string): Html => html`<h1>Search</h1>
<p id="status" role="status">${query === '' ? 'Enter a word in the search field.' : ''}</p>
<noscript><p>Search needs JavaScript. You can also browse all pages.</p></noscript>
<ul id="results" class="results"></ul>
<script type="module" src="/search.js"></script>`;
