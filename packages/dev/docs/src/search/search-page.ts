import type { Html } from '@compliance/api/pages';
import { html } from 'hono/html';

/** Returns the search field for the page header. */
export const searchField = (query = ''): Html =>
  html`<form class="search" role="search" action="/search"><input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" maxlength="200"></form>`;

/** Returns the search page's body. `search.js` fills in the results. */
export const searchResults = (query: string): Html => html`<h1>Search</h1>
<p id="status" role="status">${query === '' ? 'Enter a search term.' : ''}</p>
<noscript><p>Search needs JavaScript. You can also browse all pages.</p></noscript>
<ul id="results" class="results"></ul>
<script type="module" src="/search.js"></script>`;
