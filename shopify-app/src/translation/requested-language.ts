/**
 * Returns the language that a request asks for, or null if the request doesn't specify a language. The Shopify admin
 * adds a `locale` parameter to a document's URL. Later requests from that document specify the language in the
 * `Accept-Language` header.
 *
 * @example requestedLanguage(new Request('https://app.example/app?locale=de')) // 'de'
 */
export const requestedLanguage = (request: Request): string | null =>
  new URL(request.url).searchParams.get('locale') ??
  (/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*/i.exec(request.headers.get('Accept-Language') ?? '')?.[0] || null);
