import { connect } from 'node:net';
import { createCrawler, createScanner, isPublicAddress, type Transport } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { openStore, type StoreLocation } from '@compliance/store';

/**
 * Service process that scans one site repeatedly, with the same crawler and store as `serve`. Only the network differs:
 * connections to any hostname go to the same loopback server. Prints the outcome of each scan.
 *
 * Usage: `node scan-child.ts <store location as JSON> <port of the server> <number of scans>`
 */
const [location, port, scans] = process.argv.slice(2) as [string, string, string];

const transport: Transport = {
  resolve: async () => ['93.184.216.34'],
  isAllowed: isPublicAddress,
  dial: async () => connect(Number(port), '127.0.0.1'),
};

const store = await openStore({ ...(JSON.parse(location) as StoreLocation), clock: Date.now });
const pool = createPool({ workers: 1, timeoutMs: 20_000, memoryMb: 256, queue: 100 });
const { targetRate } = store;
const scanner = createScanner(createCrawler(transport), { contact: 'https://scanner.example/about', pool, targetRate });

process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  for (let scan = 0; scan < Number(scans); scan++) {
    // Use a different subdomain of the same site for each scan.
    const outcome = await scanner(`http://h${scan}-${process.pid}.shop.example/`, { asOf: '2026-11-22' }).then(
      ({ notes }) => (notes.some(({ reason }) => reason === 'target_busy') ? 'incomplete' : 'complete'),
      error => error.reason,
    );
    process.stdout.write(`${outcome}\n`);
  }
  await Promise.all([pool.close(), store.close()]);
  process.exit();
});
