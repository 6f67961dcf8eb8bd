import { type DeploymentOptions, envLines, newSecrets } from './deployment.ts';
import type { PlannedFile } from './planned-file.ts';

/** Paths in a systemd deployment. */
export const SYSTEMD_PATHS = {
  settings: '/etc/compliance/compliance.env',
  data: '/var/lib/compliance',
  backups: '/var/backups/compliance',
  /** Symbolic link to the active release. */
  current: '/opt/compliance/current',
  user: 'compliance',
} as const;

const PORT = 8787;

/** Units to enable. The services that the timers start don't need to be enabled. */
export const SYSTEMD_UNITS = ['compliance.service', 'compliance-backup.timer', 'compliance-health.timer'];

/** Options for a systemd deployment. */
export interface SystemdOptions extends DeploymentOptions {
  /** Absolute path to the Node.js executable. */
  readonly node: string;
}

/**
 * Returns the files for a systemd deployment: settings, a command that runs as the service's user, a service, and
 * timers for backups and health checks.
 */
export function systemdFiles({ host, contact, node }: SystemdOptions): PlannedFile[] {
  const file = (path: string, text: string, mode = 0o644): PlannedFile => ({ path, text, mode });
  const main = `${node} ${SYSTEMD_PATHS.current}/dist/main.js`;
  return [
    { ...file(SYSTEMD_PATHS.settings, settings(host, contact), 0o600), isSecret: true },
    file('/usr/local/bin/compliance', command(main), 0o755),
    file('/etc/sysusers.d/compliance.conf', `u ${SYSTEMD_PATHS.user} - "Portfolio Compliance" ${SYSTEMD_PATHS.data}\n`),
    file(
      '/etc/tmpfiles.d/compliance.conf',
      [SYSTEMD_PATHS.data, SYSTEMD_PATHS.backups]
        .map(path => `d ${path} 0700 ${SYSTEMD_PATHS.user} ${SYSTEMD_PATHS.user}\n`)
        .join(''),
    ),
    file('/etc/systemd/journald@compliance.conf', '[Journal]\nSystemMaxUse=1G\nMaxRetentionSec=90day\n'),
    file('/etc/systemd/system/compliance.service', service(main)),
    file('/etc/systemd/system/compliance-backup.service', backupService(main)),
    file(
      '/etc/systemd/system/compliance-backup.timer',
      timer('daily backup', ['OnCalendar=daily', 'RandomizedDelaySec=1h', 'Persistent=yes']),
    ),
    file('/etc/systemd/system/compliance-health.service', healthService(node)),
    file(
      '/etc/systemd/system/compliance-health.timer',
      timer('health check', ['OnActiveSec=1min', 'OnUnitActiveSec=1min']),
    ),
  ];
}

function settings(host: string, contact: string): string {
  return envLines({
    NODE_ENV: 'production',
    COMPLIANCE_DATA: SYSTEMD_PATHS.data,
    COMPLIANCE_PORT: String(PORT),
    COMPLIANCE_LOG: 'info',
    COMPLIANCE_BASE_URL: `https://${host}`,
    COMPLIANCE_TRUSTED_PROXIES: '1',
    COMPLIANCE_CONTACT: contact,
    ...newSecrets(),
  });
}

function command(main: string): string {
  return `#!/bin/sh
# Runs the compliance command with the service's settings, under the service's user account.
set -eu
if [ "$(id -u)" -ne 0 ]; then
  echo 'compliance: Only root can read the settings. Run: sudo compliance' >&2
  exit 1
fi
set -a
. ${SYSTEMD_PATHS.settings}
set +a
exec setpriv --reuid=${SYSTEMD_PATHS.user} --regid=${SYSTEMD_PATHS.user} --init-groups --no-new-privs --inh-caps=-all ${main} "$@"
`;
}

/** Settings that all services share: the user, the settings file, the journal namespace, and hardening. */
const SHARED = `User=${SYSTEMD_PATHS.user}
Group=${SYSTEMD_PATHS.user}
EnvironmentFile=${SYSTEMD_PATHS.settings}
LogNamespace=compliance
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources`;

/** Restrictions on services that don't start sandboxed workers. */
const NO_SANDBOX = 'RestrictNamespaces=yes';

/**
 * Permissions needed by the workers' sandbox: namespaces, `mount` and `chroot` in those namespaces, and a lower
 * priority. The workers themselves can't use these permissions, because they have no capabilities.
 */
const SANDBOX = `RestrictNamespaces=user pid net mnt ipc
SystemCallFilter=@mount chroot setpriority`;

function service(main: string): string {
  return `[Unit]
Description=Portfolio Compliance
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${main} serve
Restart=on-failure
RestartSec=2
# Allows the longest request to finish.
TimeoutStopSec=60
StateDirectory=compliance
StateDirectoryMode=0700
${SHARED}
${SANDBOX}

[Install]
WantedBy=multi-user.target
`;
}

function backupService(main: string): string {
  return `[Unit]
Description=Portfolio Compliance backup

[Service]
Type=oneshot
ExecStart=${main} backup ${SYSTEMD_PATHS.backups}
ReadWritePaths=${SYSTEMD_PATHS.data} ${SYSTEMD_PATHS.backups}
${SHARED}
${NO_SANDBOX}
`;
}

function healthService(node: string): string {
  return `[Unit]
Description=Portfolio Compliance health check

[Service]
Type=oneshot
ExecStart=${node} -e "fetch('http://127.0.0.1:' + (process.env.COMPLIANCE_PORT || ${PORT}) + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
${SHARED}
${NO_SANDBOX}
`;
}

function timer(description: string, lines: readonly string[]): string {
  return `[Unit]
Description=Portfolio Compliance ${description}

[Timer]
${lines.join('\n')}

[Install]
WantedBy=timers.target
`;
}
