import { createTransport } from 'nodemailer';

/** SMTP server and sender address. */
export interface MailSettings {
  /** Server URL with credentials, such as `smtps://user:password@smtp.example.com`. */
  readonly smtpUrl: string;
  /** Sender address. */
  readonly from: string;
}

/** Plain-text email. */
interface Mail {
  /** Stable ID. Mail servers that receive the same ID twice can drop the second copy. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** URL that unsubscribes the recipient in response to a POST request (RFC 8058). */
  readonly unsubscribeUrl: string;
}

/** Sends email. */
export interface Mailer {
  /**
   * Sends an email.
   *
   * @throws Error if the server can't be reached or rejects the email. The error message can contain the recipient's
   * address.
   */
  send(mail: Mail): Promise<void>;
}

/** Time limit in milliseconds for each step of a connection to the SMTP server. */
const TIMEOUT_MS = 15_000;

/**
 * Creates a mailer that opens one SMTP connection per email.
 *
 * @example
 * const mailer = createMailer({ smtpUrl: 'smtps://user:password@smtp.example.com', from: 'alerts@example.com' });
 */
export function createMailer({ smtpUrl, from }: MailSettings): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const host = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, subject, text, unsubscribeUrl }) {
      await transport.sendMail({
        from: { name: 'Portfolio Compliance', address: from },
        to: { name: '', address: to },
        ...{ subject, text, messageId: `<${id}@${host}>` },
        headers: {
          'Auto-Submitted': 'auto-generated',
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      });
    },
  };
}
