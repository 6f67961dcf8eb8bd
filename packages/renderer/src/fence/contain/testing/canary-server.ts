import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Entry point of a process that listens for TCP and UDP traffic on a list of ports, on all addresses of its network
 * namespace, and prints a line for each contact. With `dns`, it also prints the names in queries on port 53.
 *
 * The first line of the output lists the ports, so that the caller learns which free port was used for port 0.
 */

const [list = '', dns] = process.argv.slice(2);

const RESPONSE = 'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
/** First byte of a TLS connection. */
const HANDSHAKE = 0x16;

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function listen(requested: number): Promise<number> {
  const server = createServer(socket => {
    print({ port });
    socket
      .on('error', () => {})
      .once('data', data => {
        if (data[0] === HANDSHAKE) print({ port, tls: true });
        socket.end(RESPONSE);
      });
  });
  await once(server.listen(requested, '::'), 'listening');
  const { port } = server.address() as AddressInfo;
  const udp = createSocket('udp6').on('message', () => print({ port }));
  try {
    await once(udp.bind(port, '::'), 'listening');
  } catch (error) {
    if (requested !== 0) throw error;
    // Another process is using the UDP port that has the same number as the free TCP port.
    server.close();
    return await listen(0);
  }
  return port;
}

/** Prints the name in a DNS query, and returns an NXDOMAIN response. */
function answer(query: Buffer): Buffer {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  print({ name: labels.join('.') });
  const reply = Buffer.from(query);
  reply.writeUInt16BE(0x81_83, 2);
  return reply;
}

const ports = await Promise.all(list.split(',').map(port => listen(Number(port))));
if (dns) {
  const resolver = createSocket('udp6');
  resolver.on('message', (query, from) => resolver.send(answer(query), from.port, from.address));
  await once(resolver.bind(53, '::'), 'listening');
}
print({ ports });
process.stdin.on('end', () => process.exit()).resume();
