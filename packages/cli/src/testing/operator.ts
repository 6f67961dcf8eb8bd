/**
 * Signs in to the operator pages as a browser does: the form is opened first, since it carries a token of its browser.
 *
 * @returns the status of the answer, what it sets, and the cookie of the session
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
