// Lets a code sample exit even if a server that it started is still listening.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  return listen.apply(this, args).unref();
};
