export { type Html, page, STYLESHEET } from './page.ts';
export { pageHeaders } from './security.ts';
export { PAGE_STYLE } from './style.ts';
