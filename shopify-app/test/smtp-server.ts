import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** Email as the SMTP server received it. */
interface ReceivedMail {
  readonly to: readonly string[];
  /** Header values by lowercase name, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
}

/** SMTP server that stores the emails it receives. */
export interface TestSmtpServer {
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Whether the server rejects emails with a temporary error. */
  isDown: boolean;
  close(): Promise<void>;
}

/** Starts a local SMTP server that requires a password. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'app' && password === 'secret' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onMailFrom: (_, __, done) =>
      done(smtp.isDown ? Object.assign(new Error('Try again later'), { responseCode: 451 }) : null),
    onData: (stream, { envelope }, done) =>
      void text(stream).then(source => {
        const [head = ''] = source.split('\r\n\r\n');
        const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
        const headers = lines.map(line => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 2)]);
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), headers: Object.fromEntries(headers) });
        done();
      }, done),
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const smtp: TestSmtpServer = {
    url: `smtp://app:secret@127.0.0.1:${port}`,
    mails,
    isDown: false,
    close: () => new Promise(done => server.close(() => done())),
  };
  return smtp;
}
