import { once } from 'node:events';
import { connect } from 'node:net';
import { publicTransport } from '@compliance/crawler';

/**
 * Module that is preloaded into a service process with `--import`. Resolves every hostname to one public address, but
 * connects to the loopback port in `RECEIVER_PORT` instead of that address. Addresses are still checked as in
 * production. Each SIGUSR2 signal moves the process's clock forward by 90 seconds, which is longer than any lease.
 */
const port = Number(process.env.RECEIVER_PORT);
publicTransport.resolve = async () => ['93.184.216.40'];
publicTransport.dial = async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

const realNow = Date.now;
let offset = 0;
process.on('SIGUSR2', () => {
  offset += 90_000;
});
Date.now = () => realNow() + offset;
