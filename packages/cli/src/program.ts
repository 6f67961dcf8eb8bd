import { Command, Option } from 'commander';
import { Failure } from './failure.ts';

const KEY_SCOPES = ['pixel', 'entry', 'tariff', 'all'];

const EXIT_CODES = `
Exit codes:
  0  done, whatever the answers are
  1  the command could not do its work (a file, the database, the port), a scan found an error, or
     the doctor found what must be mended
  2  the command was called wrongly, or the page of a scan cannot be scanned`;

/**
 * The `compliance` command. Each subcommand loads its own code, so that a look-up does not wait for the server.
 */
export function createProgram(): Command {
  const program = new Command('compliance')
    .description(
      'US import compliance: Section 232 look-up of HTS codes, storefront scan, certificates, API keys, and the service itself.',
    )
    .showHelpAfterError('(add --help for what can be given)')
    .addHelpText('after', EXIT_CODES)
    .exitOverride();

  program
    .command('lookup')
    .description('Look HTS codes up in the Section 232 lists.')
    .argument('[codes...]', 'HTS codes; without any, they are read from standard input, one a line')
    .option('--as-of <date>', 'date of entry, YYYY-MM-DD (default: today in US Eastern time)')
    .option('--programs <programs>', 'comma-separated programs, or all (default: steel,aluminum,copper)')
    .option('--origin <country>', 'country of origin, ISO alpha-2: lists the duties that are possible')
    .option('--csv <file>', 'read the codes from a CSV file with a header (- for standard input)')
    .option('--column <name>', 'the column of the CSV file that holds the codes')
    .option('--hts <file>', 'official HTS export (.json or .json.gz), to tell which codes exist')
    .option('--json', 'print the answer as the API gives it')
    .action(async (codes, options) => (await import('./commands/lookup.ts')).lookupCommand(codes, options));

  program
    .command('scan')
    .description('Scan a storefront page for legacy, doubled, broken and leaking tags.')
    .argument('[url]', 'address of the page')
    .option('--html <file>', 'scan a saved page instead of fetching one; needs --url')
    .option('--url <url>', 'the address that the page was saved from')
    .option('--scripts <dir>', 'folder with the saved scripts of the page')
    .option('--baseline <file>', 'an earlier scan printed with --json: says what changed since')
    .option('--as-of <date>', 'date of the judgement, YYYY-MM-DD (default: today in US Eastern time)')
    .addOption(
      new Option('--profile <visitors>', 'which visitors the shop serves').choices(['us', 'eea']).default('us'),
    )
    .addOption(new Option('--json', 'print the answer as the API gives it').conflicts('sarif'))
    .option('--sarif', 'print SARIF 2.1.0, for CI')
    .option('--html-report <file>', 'also write the report as one HTML page to forward')
    .action(async (url, options) => (await import('./commands/scan.ts')).scanCommand(url, options));

  program
    .command('certify')
    .description('Draw a General Certificate of Conformity as a PDF, and say what it lacks.')
    .argument('[file]', 'the request as JSON (- for standard input)')
    .option('--template', 'print a request to start from')
    .option('-o, --out <file>', 'the PDF (default: the name of the request)')
    .option('--registry-csv <file>', 'also write the row for the CPSC Product Registry')
    .addOption(new Option('--paper <size>', 'the paper, whatever the request says').choices(['letter', 'a4']))
    .option(
      '--verification-url <url>',
      'the address where the certificate will be found; it is printed and in the QR code',
    )
    .option('--json', 'print the record as JSON')
    .action(async (file, options) => (await import('./commands/certify.ts')).certifyCommand(file, options));

  const tariff = program.command('tariff').description('The Section 232 lists themselves.');
  tariff
    .command('diff')
    .description('Show what changed in the lists between two dates.')
    .argument('<from>', 'the earlier date, YYYY-MM-DD')
    .argument('<to>', 'the later date, YYYY-MM-DD')
    .option('--programs <programs>', 'comma-separated programs, or all (default: all)')
    .option('--json', 'print JSON')
    .action(async (from, to, options) =>
      (await import('./commands/tariff-diff.ts')).tariffDiffCommand(from, to, options),
    );

  tariff
    .command('lists')
    .description('Show the lists in force with their counts, and how far they are known.')
    .option('--as-of <date>', 'date, YYYY-MM-DD (default: today in US Eastern time)')
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/tariff-lists.ts')).tariffListsCommand(options));

  const lists = program.command('lists').description('The lists against the official HTS.');
  lists
    .command('check')
    .description('Hold the lists against a newer official HTS export, and say what is different.')
    .requiredOption('--hts <file>', 'official HTS export (.json or .json.gz), Chapter 99 included')
    .option(
      '--chapter-99 <file>',
      'text of its Chapter 99, as pdftotext -layout writes it of the PDF: it enumerates the codes',
    )
    .option('--edition <name>', 'its name (default: read from the file name)')
    .option('--as-of <date>', 'date of the lists, YYYY-MM-DD (default: today in US Eastern time)')
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/lists-check.ts')).listsCheckCommand(options));

  const hts = program.command('hts').description('The official HTS, to tell which codes exist.');
  hts
    .command('import')
    .description('Check an official HTS export (.json or .json.gz) and keep it for the service.')
    .argument('<file>', 'the export as the USITC publishes it')
    .option('--edition <name>', 'its name (default: read from the file name)')
    .addOption(dataOption())
    .action(async (file, options) => (await import('./commands/hts-import.ts')).htsImportCommand(file, options));

  const keys = program.command('keys').description('API keys of the service.');
  keys
    .command('issue')
    .description('Issue a key. It is shown once.')
    .addOption(new Option('--scope <scope>', 'product area').choices(KEY_SCOPES).default('all'))
    .option('--note <note>', 'free text; delegate:on in it opens the beta gate', '')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/keys.ts')).issueKey(options));
  keys
    .command('rotate')
    .description('Issue a successor with the same scope, note and limits, and let the old key expire.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(
      new Option('--overlap <time>', 'how long the old key still works')
        .choices(['now', '1h', '24h', '7d'])
        .default('24h'),
    )
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/keys.ts')).rotateKey(id, options));
  keys
    .command('revoke')
    .description('End a key at once.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/keys.ts')).revokeKey(id, options));
  keys
    .command('update')
    .description('Change the scope or the note of a key.')
    .argument('<id>', 'id of the key, as keys list shows it')
    .addOption(new Option('--scope <scope>', 'product area').choices(KEY_SCOPES))
    .option('--note <note>', 'free text; delegate:on in it opens the beta gate')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/keys.ts')).updateKey(id, options));
  keys
    .command('usage')
    .description('Show how often a key was used, by day and operation; all keys without an id.')
    .argument('[id]', 'id of the key, as keys list shows it')
    .option('--days <number>', 'how many days, today included', count('--days', 366), 30)
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/keys.ts')).showUsage(id, options));
  keys
    .command('list')
    .description('List the keys, newest first.')
    .option('--all', 'also those that have ended')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/keys.ts')).listKeys(options));

  const waitlist = program.command('waitlist').description('Requests for keys, sent at /beta.');
  waitlist
    .command('list')
    .description('List the requests: those that wait as they are to be decided, decided ones newest first.')
    .addOption(
      new Option('--status <status>', 'which requests').choices(['waiting', 'approved', 'declined']).default('waiting'),
    )
    .option('--limit <number>', 'at most so many', count('--limit', 1000), 50)
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/waitlist.ts')).listWaitlist(options));
  waitlist
    .command('approve')
    .description('Approve a request and issue its key. It is shown once.')
    .argument('<id>', 'id of the request, as waitlist list shows it')
    .addOption(new Option('--scope <scope>', 'product area of the key').choices(KEY_SCOPES).default('all'))
    .option('--delegate', 'open the beta gate: the note holds delegate:on')
    .option('--founding', 'a customer of the founding tier, for whom the beta gate is open')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/waitlist.ts')).approveRequest(id, options));
  waitlist
    .command('decline')
    .description('Decline a request. A decision is final.')
    .argument('<id>', 'id of the request, as waitlist list shows it')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/waitlist.ts')).declineRequest(id, options));

  const certificates = program.command('certificates').description('Certificates that the service issued.');
  certificates
    .command('find')
    .description('Find certificates, newest first; all of them without words.')
    .argument('[words...]', 'parts of product name, model or SKU, or the beginning of a number or SHA-256')
    .option('--from <date>', 'issued on this day or later, YYYY-MM-DD')
    .option('--to <date>', 'issued on this day or earlier, YYYY-MM-DD')
    .option('--limit <number>', 'at most so many', count('--limit', 1000), 50)
    .option('--before <number>', 'only certificates older than this one')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (words, options) => (await import('./commands/certificates.ts')).findCertificates(words, options));
  certificates
    .command('show')
    .description('Show a certificate: what it says, what it lacks, what became of it.')
    .argument('<number>', 'as it is printed on the certificate')
    .option('--pdf <file>', 'also write its PDF, checked against its SHA-256')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/certificates.ts')).showCertificate(id, options));
  certificates
    .command('void')
    .description('Void a certificate for good.')
    .argument('<number>', 'as it is printed on the certificate')
    .requiredOption('--reason <text>', 'why; everyone who looks the certificate up reads it')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./commands/certificates.ts')).voidCertificate(id, options));

  program
    .command('audit')
    .description('Show who changed what, newest first.')
    .option('--limit <number>', 'at most so many entries', count('--limit', 1000), 50)
    .option('--before <id>', 'only entries older than this one')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/audit.ts')).showAudit(options));

  program
    .command('doctor')
    .description('Check a deployment as serve would find it, and say what to do.')
    .addOption(dataOption())
    .addOption(baseUrlOption())
    .addOption(proxiesOption())
    .option('--json', 'print JSON')
    .action(async options => (await import('./commands/doctor.ts')).doctorCommand(options));

  program
    .command('backup')
    .description('Back the store up while it is in use: a file for its tables, and its PDFs beside it.')
    .argument('<folder>', 'where backups are kept; PDFs that are there already are not copied again')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (folder, options) => (await import('./commands/backup.ts')).backupCommand(folder, options));

  program
    .command('restore')
    .description('Restore a backup into an empty data folder or database, of either engine.')
    .argument('<backup>', 'its file, or the folder of backups for the newest one')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .action(async (backup, options) => (await import('./commands/backup.ts')).restoreCommand(backup, options));

  program
    .command('serve')
    .description('Serve the API until interrupted.')
    .option('--port <number>', 'TCP port', port, 8787)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(dataOption())
    .addOption(
      new Option('--log <level>', 'what to write to standard error as JSON: a line for each request, or only failures')
        .choices(['info', 'error', 'silent'])
        .default('error'),
    )
    .option(
      '--metrics-port <number>',
      'serve /metrics for Prometheus on this port of its own (default: not at all)',
      port,
    )
    .addOption(baseUrlOption())
    .addOption(proxiesOption())
    .option('--v0-deprecated <date>', 'say in every v0 answer that it is deprecated from this day on, YYYY-MM-DD')
    .option('--v0-sunset <date>', 'the day from which v0 may be gone, YYYY-MM-DD')
    .action(async options => (await import('./commands/serve.ts')).serveCommand(options));

  return program;
}

function dataOption(): Option {
  return new Option('--data <dir>', 'data folder of the embedded store; ignored when DATABASE_URL is set').default(
    './data',
  );
}

function baseUrlOption(): Option {
  return new Option('--base-url <url>', 'where the service is reached from outside; https makes cookies Secure')
    .env('COMPLIANCE_BASE_URL')
    .argParser(baseUrl);
}

function proxiesOption(): Option {
  return new Option('--trusted-proxies <number>', 'how many proxies of yours stand before the service')
    .env('COMPLIANCE_TRUSTED_PROXIES')
    .argParser(proxies)
    .default(0);
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535)
    throw new Failure(`--port ${text}: give a number from 0 to 65535.`, 2);
  return number;
}

function baseUrl(text: string): string {
  const { protocol, origin } = URL.canParse(text) ? new URL(text) : { protocol: '', origin: '' };
  if (!/^https?:$/.test(protocol))
    throw new Failure(`--base-url ${text}: give an address such as https://compliance.example.`, 2);
  return origin;
}

function proxies(text: string): number {
  if (!/^\d$/.test(text)) throw new Failure(`--trusted-proxies ${text}: give a number from 0 to 9.`, 2);
  return Number(text);
}

function count(option: string, max: number): (text: string) => number {
  return text => {
    const number = Number(text);
    if (!/^\d{1,4}$/.test(text) || number < 1 || number > max)
      throw new Failure(`${option} ${text}: give a number from 1 to ${max}.`, 2);
    return number;
  };
}
