import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { clientAddress } from '../../../../shared/platform/http/client-address.js';
import { IdentitySettings } from '../identity-settings.js';

/** Where a request comes from, by the operator's list of trusted proxies. */
@Injectable()
export class CallerAddress {
  constructor(private readonly settings: IdentitySettings) {}

  /** @returns a canonical address, or an empty text, which no range holds */
  of({ socket, headers }: IncomingMessage): string {
    return clientAddress(
      socket.remoteAddress ?? '',
      headers['x-forwarded-for'],
      this.settings.trustedProxies,
    );
  }
}
