import { StoreError } from '@compliance/store';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { pageGuard } from '../pages/guard.ts';
import { auditPage } from './audit.ts';
import { certificatePage } from './certificates/certificate.ts';
import { certificatesPage } from './certificates/certificates.ts';
import type { OperatorDeps, OperatorEnv } from './context.ts';
import { keyPage } from './keys/key.ts';
import { keysPage } from './keys/keys.ts';
import { say } from './layout.ts';
import { listsPage } from './lists.ts';
import { refuseForm, requireSession } from './session.ts';
import { signIn } from './sign-in.ts';
import { waitlistPage } from './waitlist.ts';

/** What the pages say to a refusal of the store; its messages are written for the operator. */
const REFUSALS = {
  key_unknown: { title: 'No such key', status: 404, section: 'keys' },
  key_ended: { title: 'This key has ended', status: 409, section: 'keys' },
  key_rotated: { title: 'This key was rotated already', status: 409, section: 'keys' },
  certificate_unknown: { title: 'No such certificate', status: 404, section: 'certificates' },
  certificate_ended: { title: 'This certificate has ended', status: 409, section: 'certificates' },
  request_unknown: { title: 'No such request', status: 404, section: 'waitlist' },
  request_decided: { title: 'This request was decided already', status: 409, section: 'waitlist' },
} as const;

/**
 * The pages under `/operator`: keys, waitlist, certificates, lists and audit log behind a sign-in. They work without a script.
 *
 * @example
 * app.route('/', operatorPages({ store, clock: Date.now, operator: { secretHash, verify } }));
 */
export function operatorPages(deps: OperatorDeps): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>();
  app.use('/operator/*', ...pageGuard(deps.baseUrl));
  requireSession(app, deps);

  signIn(app, deps);
  app.get('/operator', c => c.redirect('/operator/keys', 303));
  keysPage(app, deps);
  keyPage(app, deps);
  waitlistPage(app, deps);
  certificatesPage(app, deps);
  certificatePage(app, deps);
  listsPage(app, deps);
  auditPage(app, deps);

  app.all('/operator/*', c => say(c, { title: 'Nothing is here', text: 'This page does not exist.', status: 404 }));
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.status === 403) return refuseForm(c);
    if (error instanceof HTTPException) {
      return say(c, { title: 'The form is too large', text: 'Nothing was changed.', status: error.status as 413 });
    }
    if (error instanceof StoreError && error.code in REFUSALS) {
      return say(c, { ...REFUSALS[error.code as keyof typeof REFUSALS], text: error.message });
    }
    const requestId = c.get('requestId');
    deps.onFailure?.(error, requestId);
    const text = `Try again. If it stays, look for ${requestId} in the service's log.`;
    return say(c, { title: 'The service failed', text, status: 500 });
  });
  return app;
}
