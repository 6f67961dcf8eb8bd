/**
 * Signs in to the operator pages as a browser would. Opens the sign-in form first, because the form contains a token
 * that is bound to the browser.
 *
 * @returns the response status, the `Set-Cookie` header, and the session cookie
 */
export async function signIn(base: string, secret: string, origin = base) {
  const opened = await fetch(`${base}/operator/sign-in`);
  const [, form_token] = /name="form_token" value="([\w-]+)"/.exec(await opened.text())!;
  const response = await fetch(`${base}/operator/sign-in`, {
    method: 'POST',
    headers: { Origin: origin, Cookie: opened.headers.get('Set-Cookie')!.split(';')[0]! },
    body: new URLSearchParams({ secret, form_token: form_token! }),
    redirect: 'manual',
  });
  const setCookie = response.headers.get('Set-Cookie') ?? '';
  return { status: response.status, setCookie, cookie: setCookie.split(';')[0]! };
}
