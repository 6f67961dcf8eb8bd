import { ERRORS } from '@compliance/contract/errors';
import { StoreError } from '@compliance/store';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { recordError } from '../http/error-response.ts';
import { formProtection } from '../pages/security.ts';
import { auditPage } from './audit.ts';
import { certificatePage } from './certificates/certificate.ts';
import { certificatesPage } from './certificates/certificates.ts';
import { keyPage } from './keys/key.ts';
import { keysPage } from './keys/keys.ts';
import { operatorListsPage } from './lists.ts';
import type { OperatorDeps, OperatorEnv } from './shared/context.ts';
import { renderMessage } from './shared/layout.ts';
import { refuseForm, requireSession } from './shared/session.ts';
import { signIn } from './sign-in.ts';
import { waitlistPage } from './waitlist.ts';

/** Page titles for store errors. Store error messages are already suitable for operators. */
const STORE_ERRORS = {
  key_unknown: { title: 'Key not found', status: 404, section: 'keys' },
  key_ended: { title: 'This key is no longer active', status: 409, section: 'keys' },
  key_rotated: { title: 'This key was already rotated', status: 409, section: 'keys' },
  certificate_unknown: { title: 'Certificate not found', status: 404, section: 'certificates' },
  certificate_ended: { title: 'This certificate is no longer valid', status: 409, section: 'certificates' },
  request_unknown: { title: 'Request not found', status: 404, section: 'waitlist' },
  request_decided: { title: 'This request was already approved or declined', status: 409, section: 'waitlist' },
} as const;

/**
 * Creates the pages under `/operator`: keys, waitlist, certificates, lists, and audit log. The pages require sign-in
 * and work without JavaScript.
 *
 * @example
 * app.route('/', operatorPages({ store, clock: Date.now, operator: { secretHash, verify } }));
 */
export function operatorPages(deps: OperatorDeps): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>();
  app.use('/operator/*', ...formProtection(deps.baseUrl));
  requireSession(app, deps);

  signIn(app, deps);
  app.get('/operator', c => c.redirect('/operator/keys', 303));
  keysPage(app, deps);
  keyPage(app, deps);
  waitlistPage(app, deps);
  certificatesPage(app, deps);
  certificatePage(app, deps);
  operatorListsPage(app, deps);
  auditPage(app, deps);

  app.all('/operator/*', c =>
    renderMessage(c, { title: 'Page not found', text: "This page doesn't exist.", status: 404 }),
  );
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.status === 403) return refuseForm(c);
    if (error instanceof HTTPException) {
      const text = 'No changes were saved.';
      return renderMessage(c, { title: 'The form is too large', text, status: error.status as 413 });
    }
    if (error instanceof StoreError && error.code in STORE_ERRORS) {
      return renderMessage(c, { ...STORE_ERRORS[error.code as keyof typeof STORE_ERRORS], text: error.message });
    }
    const { code } = recordError(c, error);
    const remedy = `search the service log for request ID ${c.get('requestId')}.`;
    const { status } = ERRORS[code];
    if (code === 'storage_full') {
      const text = `Nothing was saved, because the service has run out of disk space or storage quota. Free up space, or ${remedy}`;
      return renderMessage(c, { title: 'Storage is full', text, status });
    }
    const text = `Try again. If the problem persists, ${remedy}`;
    return renderMessage(c, { title: 'Something went wrong', text, status });
  });
  return app;
}
