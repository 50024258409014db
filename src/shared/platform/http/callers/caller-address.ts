import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { clientAddress } from './client-address.js';
import { HttpSettings } from './http-settings.js';

/** Where a request comes from, by the operator's list of trusted proxies. */
@Injectable()
export class CallerAddress {
  /** A kept connection asks often, and its peer never changes. */
  private readonly peers = new WeakMap<Socket, string>();

  constructor(private readonly settings: HttpSettings) {}

  /** @returns a canonical address, or an empty text, which no range holds */
  of({ socket, headers }: IncomingMessage): string {
    const { trustedProxies } = this.settings;
    if (trustedProxies.length > 0) {
      return clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], trustedProxies);
    }
    return this.peers.get(socket) ?? this.remember(socket);
  }

  private remember(socket: Socket): string {
    const peer = clientAddress(socket.remoteAddress ?? '', undefined, []);
    if (peer !== '') this.peers.set(socket, peer);
    return peer;
  }
}
