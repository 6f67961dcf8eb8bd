import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/guides/self-host.md'), 'utf8');

interface Service {
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  pids_limit?: number;
  restart?: string;
  logging?: { options: Record<string, string> };
  healthcheck?: { test: string[] };
  networks: string[];
  volumes?: string[];
  ports?: string[];
  image: string;
  [option: string]: unknown;
}

interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean; driver_opts?: Record<string, string> } | null>;
}

const readCompose = (file: string): Compose => parse(readFileSync(file, 'utf8'), { merge: true });
const { services, networks } = readCompose(join(ROOT, 'compose.yaml'));

describe.each(Object.entries(services))('the container %s', (name, service) => {
  it('has a read-only root file system, limits on processes and log size, and no way to gain privileges', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.pids_limit).toBeLessThanOrEqual(1_000);
    expect(Object.keys(service.logging?.options ?? {})).toEqual(['max-size', 'max-file']);
    expect(service.restart).toBe('unless-stopped');
    expect(
      ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'userns_mode'].filter(key => key in service),
    ).toEqual([]);
    expect((service.volumes ?? []).filter(volume => volume.includes('docker.sock'))).toEqual([]);
  });

  it('has only the capabilities that its image needs to start', () => {
    const needed: Record<string, string[]> = {
      proxy: ['NET_BIND_SERVICE'],
      pdfs: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
    };
    expect(service.cap_add ?? []).toEqual(needed[name] ?? []);
  });

  it('has a health check', () => {
    expect(service.healthcheck?.test.length).toBeGreaterThan(1);
  });

  it('uses only declared networks', () => {
    expect(service.networks.filter(network => !(network in networks))).toEqual([]);
  });
});

describe('the network layout', () => {
  const membersOf = (network: string) =>
    Object.keys(services).filter(name => services[name]!.networks.includes(network));
  const isInternal = (network: string) => networks[network]?.internal === true;

  it('isolates the database and the PDFs from the internet and from every service except the app', () => {
    for (const store of ['database', 'pdfs']) {
      expect(services[store]!.networks.filter(network => !isInternal(network))).toEqual([]);
      expect(services[store]!.networks.flatMap(membersOf).sort()).toEqual(['app', store].sort());
      expect(services[store]!.ports).toBeUndefined();
    }
  });

  it('gives internet access only to the proxies, not to services with secrets or data', () => {
    const open = Object.keys(networks).filter(network => !isInternal(network));
    expect(open).toEqual(['outside', 'scans']);
    expect(membersOf('scans')).toEqual(['egress']);
    expect(membersOf('outside')).toEqual(['proxy']);
    expect(services.egress!.environment).toBeUndefined();
    expect(services.egress!.volumes).toBeUndefined();
    expect(services.app!.environment).toMatchObject({ COMPLIANCE_EGRESS: 'http://egress:8788' });
    expect(membersOf('egress')).toEqual(['app', 'egress']);
  });
});

describe('the self-hosting guide', () => {
  const blockWith = (text: string) =>
    [...guide.matchAll(/^```sh.*\n([\s\S]*?)^```/gm)].find(([, code]) => code!.includes(text))![1]!;

  it('blocks traffic from the scan network’s bridge to all private IPv4 ranges', () => {
    const rules = blockWith('DOCKER-USER');
    const bridge = networks.scans?.driver_opts?.['com.docker.network.bridge.name'];
    // Linux limits interface names to 15 characters.
    expect(bridge).toMatch(/^[a-z-]{1,15}$/);
    expect(rules.match(/-i (\S+)/g)).toEqual([`-i ${bridge}`, `-i ${bridge}`]);
    const blocked = new BlockList();
    for (const [, range, bits] of rules.matchAll(/(\d+\.\d+\.\d+\.\d+)\/(\d+)/g))
      blocked.addSubnet(range!, Number(bits));
    const inside =
      '0.0.0.1 10.1.2.3 100.100.100.200 127.0.0.1 168.63.129.16 169.254.169.254 172.31.255.254 192.0.0.192 192.168.1.1 198.18.0.1 239.1.1.1 255.255.255.255';
    for (const address of inside.split(' ')) expect([address, blocked.check(address)]).toEqual([address, true]);
    for (const address of ['8.8.8.8', '23.227.38.65', '172.32.0.1', '192.0.78.1', '223.255.255.1']) {
      expect([isIPv4(address), blocked.check(address)]).toEqual([true, false]);
    }
  });

  it('lists commands that pin every image to a digest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'compliance-compose-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    copyFileSync(join(ROOT, 'compose.yaml'), join(folder, 'compose.yaml'));
    const digest = `sha256:${'a1'.repeat(32)}`;
    const docker = `#!/bin/sh\n[ "$1 $2" = "image inspect" ] && echo "\${5%%:*}@${digest}"\nexit 0\n`;
    writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    execFileSync('sh', ['-ec', blockWith('RepoDigests')], { cwd: folder, env });
    const pinned = readCompose(join(folder, 'compose.yaml'));
    for (const [name, { image }] of Object.entries(pinned.services)) {
      expect(image).toBe(['app', 'egress'].includes(name) ? 'compliance' : `${services[name]!.image}@${digest}`);
    }
  });
});
