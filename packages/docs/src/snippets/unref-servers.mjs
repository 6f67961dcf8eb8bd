// A server that a snippet starts does not keep its program from ending.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  return listen.apply(this, args).unref();
};
