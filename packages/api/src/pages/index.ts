export { pageHeaders } from './guard.ts';
export { type Html, page, STYLESHEET } from './page.ts';
export { STYLE } from './style.ts';
