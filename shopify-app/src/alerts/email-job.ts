import type { JobHandler } from '../jobs/job.ts';
import { ALERT_EMAIL, alertSettingsOf } from './alert.ts';
import { appAdminUrl, composeAlerts } from './compose.ts';
import type { Mailer } from './mailer.ts';
import { withoutRefuted } from './refuted.ts';
import type { UnsubscribeLinks } from './unsubscribe-link.ts';

/** Maximum number of alerts per email. */
const ALERTS = 50;

/** Dependencies of the job that emails alerts. */
export interface AlertDeps {
  readonly mailer: Mailer;
  readonly links: UnsubscribeLinks;
  /** Client ID of the app, which is part of its URL in the Shopify admin. */
  readonly apiKey: string;
}

/** Result of an `alert_email` job in the `done` state. */
export interface AlertOutcome {
  readonly emails: number;
}

/**
 * Creates the job that emails pending alerts. Only one worker at a time sends a shop's alerts. If a process dies after
 * the SMTP server accepts an email but before the database records it, the same email is sent again with the same
 * message ID.
 *
 * @param deps null if the operator hasn't configured an SMTP server, in which case alerts are discarded
 */
export const alertEmailJob = (deps: AlertDeps | null): JobHandler => ({
  kind: ALERT_EMAIL,
  async run({ merchant: { shop, domain }, signal }): Promise<AlertOutcome> {
    let emails = 0;
    for (;;) {
      signal.throwIfAborted();
      const record = await shop.record();
      const { when, email } = alertSettingsOf(record);
      if (deps === null || when === 'off' || email === null) {
        await shop.alerts.end('all');
        return { emails };
      }
      const next = await shop.alerts.nextMessage(ALERTS);
      if (next === null) return { emails };
      const message = { ...next, alerts: await withoutRefuted(shop, next.alerts) };
      if (message.alerts.length === 0) {
        await shop.alerts.end({ message: message.id });
        continue;
      }
      const unsubscribeUrl = deps.links.urlFor(domain, email);
      const { subject, text } = composeAlerts(message, {
        ...{ domain, unsubscribeUrl },
        language: record?.settings.locale ?? record?.locale ?? null,
        adminUrl: appAdminUrl(domain, deps.apiKey),
      });
      await deps.mailer.send({ id: message.id, to: email, subject, text, unsubscribeUrl });
      await shop.alerts.end({ message: message.id });
      emails++;
    }
  },
});
