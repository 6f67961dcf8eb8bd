/** Features to disable because they can send unprompted requests, can bypass interception, or aren't needed. */
export const DISABLED_FEATURES = [
  ...['Prerender2', 'PrefetchProxy', 'NetworkPrediction', 'PreloadingHeuristics', 'SpeculationRulesPrefetchFuture'],
  ...['Reporting', 'WebTransport', 'DialMediaRouteProvider', 'MediaRouter', 'OptimizationHints', 'Translate'],
  // A sandboxed frame in its own process can start a worker before the recorder attaches to the frame.
  'IsolateSandboxedIframes',
  ...['BackgroundFetch', 'FileSystemAccess', 'WebBluetooth', 'WebUSB', 'SharedStorageAPI', 'FledgeBiddingAndAuction'],
];

/** Web platform features that can open connections that bypass the proxy. */
const DISABLED_BLINK_FEATURES = ['SpeculationRules', 'Prerender2', 'WebTransport', 'DirectSockets'];

/** Flag values that differ between launches. */
export interface FlagOptions {
  /** Port of the proxy on the browser's loopback device. */
  readonly proxyPort: number;
  /** Profile folder, initially empty. */
  readonly profile: string;
  readonly userAgent: string;
}

/**
 * Returns the browser's command-line flags. They replace the default flags from the `@sparticuz/chromium` package,
 * which turn off the sandbox, site isolation, and web security.
 *
 * The flags serve only to turn off features. The fence (the proxy and the namespaces) contains the traffic even if a
 * later version of Chromium ignores a flag.
 *
 * @example browserFlags({ proxyPort: 3128, profile: '/tmp/profile', userAgent: 'Mozilla/5.0 …' })
 */
export function browserFlags({ proxyPort, profile, userAgent }: FlagOptions): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--user-agent=${userAgent}`,
    // All traffic goes through the proxy, even traffic to loopback, and the browser never resolves a hostname.
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--site-per-process',
    '--disable-shared-workers',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-client-side-phishing-detection',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-notifications',
    // Without this flag, a popup that's waiting for its tab would keep the opener's process busy.
    '--block-new-web-contents',
    '--no-pings',
    '--no-first-run',
    '--no-default-browser-check',
    '--mute-audio',
    '--disable-gpu',
    '--disable-webgl',
    '--use-mock-keychain',
    '--js-flags=--max-old-space-size=256',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    `--disable-blink-features=${DISABLED_BLINK_FEATURES.join(',')}`,
  ];
}
