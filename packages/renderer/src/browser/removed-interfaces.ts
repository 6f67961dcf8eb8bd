/**
 * Script that removes the interfaces that a page could use to bypass the recorder or the proxy, or to run code that the
 * recorder doesn't follow. To pages, these interfaces appear unsupported. The script is one of several layers: even
 * if a page obtains one of these interfaces, the fence restricts its traffic.
 */
export const REMOVE_INTERFACES = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'RTCIceTransport', 'SharedWorker', 'WebTransport'])
  delete globalThis[name];
if (globalThis.Navigator) delete Navigator.prototype.serviceWorker;
`;
